/* SPDX-License-Identifier: MIT */
/* Which entity an item belongs to: by `when`, by its type, or by its key templates. */
#ifndef TRANSFORM_ROUTE_H
#define TRANSFORM_ROUTE_H

#include "pipeline/base/buf.h"
#include "pipeline/plan/plan.h"

#define ROUTE_NONE UINT32_MAX

/* The index of the entity, or ROUTE_NONE. */
uint32_t route_item(const struct plan *plan, const struct item *item);

/* Is the item past its TTL? One of more than five years ago does not count, as in DynamoDB. */
bool route_expired(const struct plan *plan, const struct item *item, int64_t now_us);

/* What an item is counted under: its type, or the kind of a type that is no text, or "". */
struct str route_type(const struct plan *plan, const struct item *item);

/* Does this one entity match, whatever comes before it? */
bool route_matches(const struct plan *plan, uint32_t entity, const struct item *item);

/* Does this one entity match, and why or why not: a sentence for explain. */
bool route_explain(const struct plan *plan, uint32_t entity, const struct item *item,
                   struct buf *why);

#endif
