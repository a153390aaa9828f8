/* SPDX-License-Identifier: MIT */
/* Which entity an item belongs to: by `when`, by its type, or by its key templates. */
#ifndef RUN_ROUTE_H
#define RUN_ROUTE_H

#include "pipeline/base/buf.h"
#include "pipeline/plan/plan.h"

#define ROUTE_NONE UINT32_MAX

/* The index of the entity, or ROUTE_NONE. */
uint32_t route_item(const struct plan *plan, const struct item *item);

/* Is it past its TTL? No more than five years: what is older DynamoDB leaves alone. */
bool route_expired(const struct plan *plan, const struct item *item, int64_t now_us);

/* What an item is counted under: its type, or the kind of one that is no text; empty if none. */
struct str route_type(const struct plan *plan, const struct item *item);

/* Does this one entity match, and why or why not: a sentence for explain. */
bool route_explain(const struct plan *plan, uint32_t entity, const struct item *item,
                   struct buf *why);

#endif
