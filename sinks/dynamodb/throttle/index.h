/* SPDX-License-Identifier: MIT */
/*
 * Partitions of an index that the service throttles: all writes whose items have, or get, the same
 * partition key there. They are spread over the whole table, so neither their own keys nor their
 * ranges tell them from others; the targets of a change do. See range.h for the rates.
 */
#ifndef SINKS_DYNAMODB_THROTTLE_INDEX_H
#define SINKS_DYNAMODB_THROTTLE_INDEX_H

#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/recipe/recipe.h"
#include "sinks/dynamodb/throttle/range.h"

struct throttle_indexes {
    const struct dynamodb_table *table; /* borrowed; NULL: no index is known */
    struct throttle_ranges ranges;
};

/* What a write keeps of its turn until it is sent; zeros at first. */
struct index_turn {
    uint64_t ticket;
    uint32_t range;
};

/* May such a write be prepared? See throttle_range_open. */
bool throttle_index_open(const struct throttle_indexes *b, const struct change *c,
                         int64_t now_us);

/* When may it be sent? See throttle_range_turn. */
int64_t throttle_index_turn(struct throttle_indexes *b, const struct change *c,
                            struct index_turn *turn, int64_t now_us);

enum index_verdict {
    INDEX_UNKNOWN, /* the change does not say which partition of that index it is for */
    INDEX_NOTED,   /* the first throttle there */
    INDEX_BRAKED   /* it has a rate, and throttle_index_turn says when to try again */
};

/* The write was throttled by the index of this name. */
enum index_verdict throttle_index_throttled(struct throttle_indexes *b, struct str index,
                                            const struct change *c, uint64_t key,
                                            int64_t now_us);
void throttle_index_succeeded(struct throttle_indexes *b, const struct change *c,
                              int64_t now_us);

#endif
