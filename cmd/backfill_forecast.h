/* SPDX-License-Identifier: MIT */
/*
 * What a rehearsal found, turned into figures for the whole table: units, time, dollars, and
 * what they mean for the partitions of an index. For people, one line each.
 */
#ifndef CMD_BACKFILL_FORECAST_H
#define CMD_BACKFILL_FORECAST_H

#include "pipeline/source/scan.h"
#include "sinks/dynamodb/rehearse.h"

struct forecast {
    struct scan_facts facts;
    struct budget_limits writes;
    double scale; /* items of the table by items read; 1: all were read */
    uint64_t read, to_change;
    uint64_t unjudged;               /* skipped, unrouted, failed */
    double table_units, index_units; /* of the whole table */
    double seconds;                  /* at the budgets' first rates */
    double write_seconds;            /* of these, by the writes alone */
    double usd;                      /* on demand, writes and reads */
};

/* `read` items were read of a sample, or of all. Entities are added one by one. */
void forecast_init(struct forecast *f, const struct scan_facts *facts,
                   struct budget_limits writes, uint64_t read, bool sampled);
void forecast_add(struct forecast *f, const struct rehearse_entity *e);

/* After the last. */
void forecast_finish(struct forecast *f);

/* "%-16s TEXT", as all lines of a plan. */
void forecast_line(struct buf *out, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);

void forecast_print(const struct forecast *f, struct buf *out);

/* What the writes of one entity are of that: dollars and time. */
void forecast_entity(const struct forecast *f, const struct rehearse_entity *e,
                     struct buf *out);

/* How the values of a new partition key are spread, with a warning where they are few. */
void forecast_spread(const struct forecast *f, const struct rehearse_spread *s,
                     struct buf *out);

/* Indexes whose own capacity is less than the budget; failures the service would answer with. */
void forecast_indexes(const struct forecast *f, struct buf *out);
void forecast_failures(const struct rehearse_entity *e, struct buf *out);

#endif
