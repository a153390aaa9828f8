/* SPDX-License-Identifier: MIT */
/*
 * The same rules as for reading, with the table's write figures. An on-demand table is begun
 * with a quarter of what it takes at once, and the budget grows while nothing is throttled.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
 */
#include "sinks/dynamodb/pace.h"

/* What a new on-demand table takes at once, and the default quota of a table. */
static const int64_t ON_DEMAND_FRESH = 4000;
static const int64_t TABLE_QUOTA = 40000;
static const int64_t NO_LIMIT = 10000000;

static struct budget_limits on_demand(const struct write_pace *pace,
                                      const struct ddb_capacity *c)
{
    int64_t warm = c->warm_write > 0 ? c->warm_write : ON_DEMAND_FRESH;
    int64_t most = c->max_write > 0 ? c->max_write : 0;
    if (most && warm > most)
        warm = most;
    if (pace->kind == WRITE_PACE_MAX)
        return (struct budget_limits){.start = warm, .max = most ? most : NO_LIMIT};
    int64_t quota = warm > TABLE_QUOTA ? warm : TABLE_QUOTA;
    return (struct budget_limits){.start = warm / 4, .max = most ? most : quota};
}

struct budget_limits write_pace_limits(const struct write_pace *pace, const struct ddb_table *t)
{
    const struct ddb_capacity *c = &t->capacity;
    struct budget_limits l;
    if (pace->kind == WRITE_PACE_UNITS) {
        l = (struct budget_limits){.start = pace->n, .max = pace->n};
    } else if (t->on_demand || c->write <= 0) {
        l = on_demand(pace, c);
    } else {
        int64_t n = pace->kind == WRITE_PACE_MAX ? c->write : c->write / 2;
        l = (struct budget_limits){.start = n, .max = n};
    }
    l.start = l.start < 1 ? 1 : l.start;
    l.max = l.max < l.start ? l.start : l.max;
    return l;
}
