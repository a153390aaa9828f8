/* SPDX-License-Identifier: MIT */
/*
 * The same rules as for reading, with the table's write figures. An on-demand table is begun
 * with a quarter of what it takes at once, and the budget grows while nothing is throttled.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
 */
#include "sinks/dynamodb/writer/write_pace.h"

/* What a new on-demand table takes at once. */
static const int64_t ON_DEMAND_FRESH = 4000;

struct budget_limits write_pace_limits(const struct write_pace *pace,
                                       const struct dynamodb_table *t)
{
    const struct dynamodb_capacity *c = &t->capacity;
    struct budget_limits l;
    if (pace->kind == WRITE_PACE_UNITS) {
        l = (struct budget_limits){.start = pace->n, .max = pace->n};
    } else if (t->on_demand || c->write <= 0) {
        l = budget_limits_on_demand(
            (struct budget_on_demand){c->warm_write, c->max_write, ON_DEMAND_FRESH},
            pace->kind == WRITE_PACE_MAX);
    } else {
        int64_t n = pace->kind == WRITE_PACE_MAX ? c->write : c->write / 2;
        l = (struct budget_limits){.start = n, .max = n};
    }
    return budget_limits_valid(l);
}
