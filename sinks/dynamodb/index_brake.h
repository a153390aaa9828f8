/* SPDX-License-Identifier: MIT */
/*
 * Partitions of an index that the service throttles: all writes whose items have, or get, the same
 * partition key there. They are spread over the whole table, so neither their own keys nor their
 * ranges tell them from others; the targets of a change do. See brake.h for the rates.
 */
#ifndef DYNAMODB_INDEX_BRAKE_H
#define DYNAMODB_INDEX_BRAKE_H

#include "pipeline/aws/ddb_table.h"
#include "sinks/dynamodb/brake.h"
#include "sinks/dynamodb/recipe.h"

struct index_brakes {
    const struct ddb_table *table; /* borrowed; NULL: no index is known */
    struct brakes brakes;
};

/* What a write keeps of its turn until it is sent; zeros at first. */
struct index_turn {
    uint64_t ticket;
    uint32_t range;
};

/* May such a write be prepared? See brakes_open. */
bool index_brakes_open(const struct index_brakes *b, const struct change *c, int64_t now_us);

/* When may it be sent? See brakes_turn. */
int64_t index_brakes_turn(struct index_brakes *b, const struct change *c,
                          struct index_turn *turn, int64_t now_us);

enum index_verdict {
    INDEX_UNKNOWN, /* the change does not say which partition of that index it is for */
    INDEX_NOTED,   /* the first throttle there */
    INDEX_BRAKED   /* it has a rate, and index_brakes_turn says when to try again */
};

/* The write was throttled by the index of this name. */
enum index_verdict index_brakes_throttled(struct index_brakes *b, struct str index,
                                          const struct change *c, uint64_t key, int64_t now_us);
void index_brakes_succeeded(struct index_brakes *b, const struct change *c, int64_t now_us);

#endif
