/* SPDX-License-Identifier: MIT */
/*
 * Which of several copies wins. The copies of one attribute under one key are folded to their
 * distinct values; the winner is a function of that set alone, whatever the order in which
 * copies were met.
 */
#ifndef ROW_REDUCE_REDUCE_H
#define ROW_REDUCE_REDUCE_H

#include "pipeline/row/reduce/candidate.h"

enum { REDUCE_SEEN_0 = 1, REDUCE_SEEN_1 = 2 };

/* One distinct value of one attribute, and what its copies have in common. */
struct reduce_value {
    struct str value; /* canonical JSON text */
    uint64_t count;
    struct str min_source, max_source;
    enum candidate_order order_kind; /* of the largest order value among the copies */
    struct str order;
    struct str order_source; /* the smallest source key that has it */
    bool owner;              /* the item of the target table says so itself */
    unsigned seen;           /* EXTRACT_MIRROR: REDUCE_SEEN_* */
};

/* The value as one candidate gives it. */
struct reduce_value reduce_of(const struct candidate *c, struct str value);

/* Takes the copies of an equal value into `into`. Commutative and associative. */
void reduce_fold(struct reduce_value *into, const struct reduce_value *more);

/*
 * A copy whose attribute is NULL has no say, like one that lacks it: its NULL stands only where no
 * copy has a value, and is never told as lost. The item of the target table itself does decide.
 */
bool reduce_abstains(const struct reduce_value *v);

/* Less than 0: `a` wins over `b`. Never 0 for different values. */
int reduce_compare(enum extract_rule rule, const struct reduce_value *a,
                   const struct reduce_value *b);

#endif
