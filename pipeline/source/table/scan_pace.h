/* SPDX-License-Identifier: MIT */
/*
 * How fast a table may be read: the budget's limits from what the operator said and what the
 * table can give, the Limit of a request, and the worst that a request can cost.
 */
#ifndef SOURCE_TABLE_SCAN_PACE_H
#define SOURCE_TABLE_SCAN_PACE_H

#include <stdatomic.h>

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/source/table/scan.h"

/* index is NULL for the table itself. */
struct budget_limits scan_pace_limits(const struct scan_pace *pace,
                                      const struct dynamodb_table *t,
                                      const struct dynamodb_index *index);

/* How many segments for a table of so many bytes (0: not known). */
uint32_t scan_pace_segments(unsigned workers, int64_t bytes);

/* How many of them a reader keeps in flight: none of the workers is left without. */
uint32_t scan_pace_ahead(uint32_t segments, unsigned workers);

/* A scattered scan: how many workers have SCAN_SCATTER segments each, if there are as many at all;
 * and how many each of them keeps in flight. */
uint32_t scan_pace_workers(uint32_t segments, unsigned workers);
uint32_t scan_pace_scatter(uint32_t segments, unsigned workers);

/* What the pages were like so far. thread: any. */
struct scan_sizes {
    bool strong;
    uint64_t guess;                    /* bytes of an item, before any was seen */
    atomic_uint_fast64_t items, bytes; /* read by the service */
    atomic_uint_fast64_t largest_item; /* at most so many bytes */
    atomic_uint_fast64_t largest_page; /* millionths of a unit */
};

void scan_sizes_init(struct scan_sizes *s, bool strong, int64_t items, int64_t bytes);

/* A page of `items` items was read for `units` millionths, and came as `json` bytes. */
void scan_sizes_add(struct scan_sizes *s, uint64_t items, int64_t units, uint64_t json,
                    uint64_t largest_item);

/* Items to ask for, so that a page costs about a second of `rate` (millionths); 0: no limit. */
uint64_t scan_sizes_limit(const struct scan_sizes *s, int64_t rate);

/* The most that a page of `limit` items (0: any number) can cost, in millionths. */
int64_t scan_sizes_worst(const struct scan_sizes *s, uint64_t limit);

/* What a page will have cost by what was seen, where the server does not say it. */
int64_t scan_sizes_likely(const struct scan_sizes *s, uint64_t limit);

/* Item bytes that so many millionths stand for. */
uint64_t scan_sizes_bytes(const struct scan_sizes *s, int64_t units);

#endif
