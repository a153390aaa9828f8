/* SPDX-License-Identifier: MIT */
/*
 * What a server can do of a plan before it sends an item: leave out attributes that nobody
 * reads, and items that no entity takes. Both are expressions of DynamoDB, every name aliased.
 */
#ifndef PLAN_PUSHDOWN_H
#define PLAN_PUSHDOWN_H

#include "pipeline/plan/attributes_read.h"

struct pushdown {
    struct buf projection, filter; /* empty: the service cannot, or need not, do it */
    struct buf names, values;      /* members of the JSON objects of what both mention */
    uint32_t nnames, nvalues;
    bool staged; /* the filter also leaves out what filter stages would */
    /* Set by the caller where the server holds only some attributes: others are neither asked
     * for nor tested. An index refuses them, or fetches them from the table at extra cost. */
    bool (*holds)(const void *ctx, struct str name);
    const void *ctx;
};

void pushdown_init(struct pushdown *p);
void pushdown_release(struct pushdown *p);

/* The projection, if needs->rest is false. */
enum rc pushdown_projection(struct pushdown *p, const struct attributes_read *needs,
                            struct err *err) MUST_CHECK;

/*
 * The filter: what entities take, and of that what the filter stages they begin with keep. It
 * may let pass too much, never too little.
 */
enum rc pushdown_filter(struct pushdown *p, const struct plan *plan,
                        struct err *err) MUST_CHECK;

#endif
