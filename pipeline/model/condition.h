/* SPDX-License-Identifier: MIT */
/*
 * The one condition language of `when`, `filter` and backfill: a value, a glob, a list of
 * them, exists, missing, < <= > >=, all / any / not. A missing attribute makes a comparison
 * false.
 */
#ifndef MODEL_CONDITION_H
#define MODEL_CONDITION_H

#include "pipeline/model/path.h"

enum cond_op {
    COND_ALL, /* kids */
    COND_ANY, /* kids */
    COND_NOT, /* one kid */
    COND_EQ,
    COND_GLOB, /* value is S, with * or ? in it */
    COND_EXISTS,
    COND_MISSING,
    COND_LT,
    COND_LE,
    COND_GT,
    COND_GE
};

struct cond {
    enum cond_op op;
    struct path path;
    uint32_t slot; /* for the planner's use */
    struct val value;
    struct cond *kids;
    uint32_t nkids;
};

/* The value a leaf asks for, or NULL. */
typedef const struct val *cond_get(void *ctx, const struct cond *leaf);

bool condition_eval(const struct cond *c, cond_get *get, void *ctx);

/* For explain: the condition as a person writes it. */
void condition_print(const struct cond *c, struct buf *out);

#endif
