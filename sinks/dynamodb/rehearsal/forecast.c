/* SPDX-License-Identifier: MIT */
/* Reading and writing go on at the same time, so the slower of the two is the time of the pass. */
#include "sinks/dynamodb/rehearsal/forecast.h"

#include "pipeline/aws/dynamodb/prices.h"

void forecast_init(struct forecast *f, const struct scan_facts *facts,
                   struct budget_limits writes, uint64_t read, bool sampled)
{
    *f = (struct forecast){.facts = *facts, .writes = writes, .scale = 1, .read = read};
    if (sampled && read && facts->items > (int64_t)read)
        f->scale = (double)facts->items / (double)read;
}

void forecast_add(struct forecast *f, const struct rehearse_entity *e)
{
    f->to_change += e->fates[FATE_CHANGED];
    f->unjudged += e->fates[FATE_SKIPPED] + e->fates[FATE_UNROUTED] + e->fates[FATE_FAILED];
    f->table_units += f->scale * (double)e->units.table;
    f->index_units += f->scale * (double)e->units.indexes;
}

void forecast_finish(struct forecast *f)
{
    double reading = f->facts.units / (double)f->facts.start_rate;
    f->write_seconds = f->table_units / (double)f->writes.start;
    f->seconds = f->write_seconds > reading ? f->write_seconds : reading;
    f->usd = prices_on_demand(&prices_write, f->facts.table, f->table_units + f->index_units) +
             prices_on_demand(&prices_read, f->facts.table, f->facts.units);
}
