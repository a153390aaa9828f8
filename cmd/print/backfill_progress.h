/* SPDX-License-Identifier: MIT */
/*
 * Progress of a pass over a live table: a redrawn line on a terminal, plain or JSON lines every
 * ten seconds otherwise. Everything goes to standard error.
 */
#ifndef CMD_PRINT_BACKFILL_PROGRESS_H
#define CMD_PRINT_BACKFILL_PROGRESS_H

#include <stdio.h>

#include "pipeline/aws/dynamodb/budget.h"
#include "sinks/dynamodb/fill/fill.h"

struct backfill_progress {
    FILE *out;
    const struct env *env;
    bool quiet, terminal, json;
    bool undo;             /* the pass reads a journal, and has no segments */
    uint64_t total;        /* items in all, about; 0: not known */
    struct budget *writes; /* borrowed; NULL: nothing is written */
    int64_t start_us, last_us;
    uint64_t last_items;
    double last_written, last_read; /* units */
    double items_rate, write_rate, read_rate;
    bool drawn;
};

void backfill_progress_init(struct backfill_progress *p, FILE *out, const struct env *env);

/* A tick of fill_setup; ctx is the struct backfill_progress. */
void backfill_progress_tick(void *ctx, const struct fill_progress *workers, uint32_t n,
                            const struct fill_setup *setup);

/* Tells that an older state was upgraded; nothing if it was not. */
void backfill_progress_upgraded(struct backfill_progress *p, const struct state *s);

/* Clears the line. */
void backfill_progress_end(struct backfill_progress *p);

#endif
