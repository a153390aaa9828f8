/* SPDX-License-Identifier: MIT */
/*
 * What a write costs, as DynamoDB counts: the table by the larger of the item's sizes before and
 * after, every index by the size of its own entry: one write for a new, removed or changed
 * entry, two when its key changes. A local index lives on the table's capacity: its units are the
 * table's.
 */
#ifndef SINKS_DYNAMODB_RECIPE_UNITS_H
#define SINKS_DYNAMODB_RECIPE_UNITS_H

#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/recipe/recipe.h"

struct units {
    uint64_t table, indexes; /* write units */
};

/* thread: any. `item` is the item as read, `c` what will be done to it. */
struct units units_of(const struct dynamodb_table *t, const struct item *item,
                      const struct change *c);

/* Of these, what the new entry of one index takes: where its new key lies. */
uint64_t units_of_entry(const struct dynamodb_table *t, const struct dynamodb_index *index,
                        const struct item *item, const struct change *c);

/* Write units for so many bytes: 1 KB each, at least one. */
uint64_t units_for(uint64_t bytes);

#endif
