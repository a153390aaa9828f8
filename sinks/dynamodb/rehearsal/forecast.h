/* SPDX-License-Identifier: MIT */
/*
 * What a rehearsal found, turned into figures for the whole table: units, time, dollars. They are
 * estimates: the table's own counts are hours old, a sample is a sample, and the application may
 * write meanwhile.
 */
#ifndef SINKS_DYNAMODB_REHEARSAL_FORECAST_H
#define SINKS_DYNAMODB_REHEARSAL_FORECAST_H

#include "pipeline/source/table/scan.h"
#include "sinks/dynamodb/rehearsal/rehearse.h"

struct forecast {
    struct scan_facts facts;
    struct budget_limits writes;
    double scale; /* items of the table for each item read; 1: all were read */
    uint64_t read, to_change;
    uint64_t unjudged;               /* skipped, unrouted, failed */
    double table_units, index_units; /* of the whole table */
    double seconds;                  /* of the whole pass, at the budgets' first rates */
    double write_seconds;            /* if only writes took time */
    double usd;                      /* on demand, writes and reads */
};

/* So many items were read; `sampled`: they are not all. Then entities are added one by one. */
void forecast_init(struct forecast *f, const struct scan_facts *facts,
                   struct budget_limits writes, uint64_t read, bool sampled);
void forecast_add(struct forecast *f, const struct rehearse_entity *e);

/* Computes time and dollars, after the last entity. */
void forecast_finish(struct forecast *f);

#endif
