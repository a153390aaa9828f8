/* SPDX-License-Identifier: MIT */
/*
 * A unit is 4 KB read with strong consistency, 8 KB without. The worst case of a request is a
 * true bound (400 KB an item, 1 MB a page and what pages were seen to have above it), for the
 * budget's promise rests on it; the Limit is only an aim, by the average item seen.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
#include "pipeline/source/table/scan_pace.h"

static const uint64_t ITEM_MAX = UINT64_C(400) * 1024;
static const uint64_t PAGE_MAX = UINT64_C(1024) * 1024;
static const uint64_t BLOCK = 4096;
static const uint64_t GUESS = 4096; /* bytes of an item, where nothing is known */

/* What a new on-demand table gives at once. */
static const int64_t ON_DEMAND_FRESH = 12000;

enum {
    AHEAD = 16,          /* segments in flight per reader: latency never limits throughput */
    SCATTER_AHEAD = 24,  /* of a scattered scan: some are read while SCAN_SCATTER have pages */
    TURNS = 4,           /* so often a reader has its fill of segments, that all end together */
    SEGMENTS_TINY = 8,   /* of less than a few pages */
    SEGMENTS_BLIND = 32, /* size not known (yet): the service counts every six hours */
    SEGMENTS_MIN = 64,
    SEGMENTS_MAX = 16384
};
static const int64_t TINY_BYTES = 4 << 20, SEGMENT_BYTES = 64 << 20;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A segment costs a request, also if it holds next to nothing: not more of them than pages. */
uint32_t scan_pace_segments(unsigned workers, int64_t bytes)
{
    if (bytes <= 0)
        return SEGMENTS_BLIND;
    if (bytes < TINY_BYTES)
        return SEGMENTS_TINY;
    int64_t wanted = (int64_t)TURNS * AHEAD * (workers ? workers : 1);
    int64_t n = larger(smaller(wanted, bytes / (int64_t)PAGE_MAX), bytes / SEGMENT_BYTES);
    return (uint32_t)smaller(larger(n, SEGMENTS_MIN), SEGMENTS_MAX);
}

uint32_t scan_pace_ahead(uint32_t segments, unsigned workers)
{
    uint32_t share = workers > 1 ? (segments + workers - 1) / workers : segments;
    return (uint32_t)larger(smaller(share, AHEAD), 1);
}

uint32_t scan_pace_workers(uint32_t segments, unsigned workers)
{
    int64_t wanted = workers ? workers : 1;
    return (uint32_t)(segments < SCAN_SCATTER ? wanted
                                              : smaller(wanted, segments / SCAN_SCATTER));
}

uint32_t scan_pace_scatter(uint32_t segments, unsigned workers)
{
    if (segments < SCAN_SCATTER)
        return scan_pace_ahead(segments, workers);
    return (uint32_t)smaller(segments / scan_pace_workers(segments, workers), SCATTER_AHEAD);
}

static struct budget_limits on_demand(const struct scan_pace *pace,
                                      const struct dynamodb_capacity *c)
{
    struct budget_limits l = budget_limits_on_demand(
        (struct budget_on_demand){c->warm_read, c->max_read, ON_DEMAND_FRESH},
        pace->kind != SCAN_PACE_DEFAULT);
    if (pace->kind == SCAN_PACE_PERCENT)
        l.start = l.max = l.start * pace->n / 100;
    return l;
}

static struct budget_limits provisioned(const struct scan_pace *pace, int64_t units)
{
    int64_t percent = pace->kind == SCAN_PACE_PERCENT ? pace->n
                      : pace->kind == SCAN_PACE_MAX   ? 100
                                                      : 50;
    int64_t n = units * percent / 100;
    return (struct budget_limits){.start = n, .max = n};
}

struct budget_limits scan_pace_limits(const struct scan_pace *pace,
                                      const struct dynamodb_table *t,
                                      const struct dynamodb_index *index)
{
    const struct dynamodb_capacity *c =
        index && index->global ? &index->capacity : &t->capacity;
    struct budget_limits l;
    if (pace->kind == SCAN_PACE_UNITS) {
        l = (struct budget_limits){.start = pace->n, .max = pace->n};
    } else if (t->on_demand || c->read <= 0) {
        l = on_demand(pace, c);
    } else {
        l = provisioned(pace, c->read);
    }
    return budget_limits_valid(l);
}

void scan_sizes_init(struct scan_sizes *s, bool strong, int64_t items, int64_t bytes)
{
    *s = (struct scan_sizes){.strong = strong, .guess = GUESS};
    if (items > 0 && bytes > 0)
        s->guess = (uint64_t)((bytes + items - 1) / items);
}

static void raise_to(atomic_uint_fast64_t *most, uint64_t n)
{
    uint_fast64_t seen = atomic_load(most);
    while (n > seen && !atomic_compare_exchange_weak(most, &seen, n))
        ;
}

uint64_t scan_sizes_bytes(const struct scan_sizes *s, int64_t units)
{
    return (uint64_t)units * (s->strong ? BLOCK : 2 * BLOCK) / (uint64_t)BUDGET_UNIT;
}

void scan_sizes_add(struct scan_sizes *s, uint64_t items, int64_t units, uint64_t json,
                    uint64_t largest_item)
{
    uint64_t bytes = scan_sizes_bytes(s, units);
    atomic_fetch_add(&s->items, items);
    /* a page is charged in whole blocks; the text of its items is never less than they are */
    atomic_fetch_add(&s->bytes, json < bytes && json > 0 ? json : bytes);
    raise_to(&s->largest_item, largest_item);
    raise_to(&s->largest_page, (uint64_t)units);
}

static int64_t units_of(const struct scan_sizes *s, uint64_t bytes)
{
    uint64_t blocks = (bytes + BLOCK - 1) / BLOCK;
    return (int64_t)blocks * (s->strong ? BUDGET_UNIT : BUDGET_UNIT / 2);
}

static int64_t page_units(const struct scan_sizes *s)
{
    int64_t seen = (int64_t)atomic_load(&s->largest_page), full = units_of(s, PAGE_MAX);
    return seen > full ? seen : full;
}

uint64_t scan_sizes_limit(const struct scan_sizes *s, int64_t rate)
{
    if (rate >= page_units(s))
        return 0;
    uint64_t items = atomic_load(&s->items), bytes = atomic_load(&s->bytes);
    uint64_t size = items > 0 ? bytes / items : s->guess;
    uint64_t n = scan_sizes_bytes(s, rate) / (size ? size : 1);
    return n ? n : 1;
}

static int64_t cost_of(const struct scan_sizes *s, uint64_t limit, uint64_t item)
{
    int64_t page = page_units(s);
    if (limit == 0 || limit > PAGE_MAX / item)
        return page;
    int64_t units = units_of(s, limit * item);
    return units < page ? units : page;
}

int64_t scan_sizes_worst(const struct scan_sizes *s, uint64_t limit)
{
    return cost_of(s, limit, ITEM_MAX);
}

int64_t scan_sizes_likely(const struct scan_sizes *s, uint64_t limit)
{
    uint64_t largest = atomic_load(&s->largest_item);
    return cost_of(s, limit, largest > 0 && largest < ITEM_MAX ? largest : ITEM_MAX);
}
