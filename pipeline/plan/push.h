/* SPDX-License-Identifier: MIT */
/*
 * What a server can do of a plan before it sends an item: leave out attributes that nobody
 * reads, and items that no entity takes. Both are expressions of DynamoDB, every name aliased.
 */
#ifndef PLAN_PUSH_H
#define PLAN_PUSH_H

#include "pipeline/plan/needs.h"

struct push {
    struct buf projection, filter; /* empty: cannot, or need not, be said */
    struct buf names, values;      /* members of the JSON objects of what both mention */
    uint32_t nnames, nvalues;
    bool staged; /* the filter says what filter stages would leave out, too */
    /* Set by the caller where the server holds only some attributes: others are neither asked
     * for nor tested. An index refuses them, or fetches them from the table at extra cost. */
    bool (*holds)(const void *ctx, struct str name);
    const void *ctx;
};

void push_init(struct push *p);
void push_release(struct push *p);

/* The projection, if needs->rest is false. */
enum rc push_projection(struct push *p, const struct needs *needs, struct err *err) MUST_CHECK;

/*
 * The filter: what entities take, and of that what the filter stages they begin with keep. It
 * may let pass too much, never too little.
 */
enum rc push_filter(struct push *p, const struct plan *plan, struct err *err) MUST_CHECK;

#endif
