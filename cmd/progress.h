/* SPDX-License-Identifier: MIT */
/*
 * Progress while a run goes on: a redrawn line on a terminal, plain or JSON lines every ten
 * seconds otherwise. Everything goes to standard error.
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "pipeline/run/run.h"

enum { PROGRESS_DRAW_US = 500000, PROGRESS_LINE_US = 10000000 };

struct progress {
    FILE *out;
    const struct env *env;
    bool quiet, terminal, json;
    uint64_t bytes_total; /* of the source; 0: not known */
    uint32_t segments;    /* in all; 0: not known */
    int64_t start_us, last_us;
    uint64_t last_items, last_bytes;
    double items_rate, bytes_rate; /* smoothed */
    struct source *metered;        /* borrowed; NULL: the source counts no units */
    double last_units, units_rate;
    bool drawn;
    bool begun; /* something was read */
};

void progress_init(struct progress *p, FILE *out, const struct env *env);

/* A tick of run_setup; ctx is the struct progress. */
void progress_tick(void *ctx, const struct run_progress *workers, uint32_t n,
                   const struct run_state *state);

/*
 * What the sink does while nothing is read; ctx is the struct progress. As a plain line at once if it
 * keeps the run from beginning, else, as other lines, not within ten seconds of the last.
 */
void progress_doing(void *ctx, const char *what);

/* Begins a line anew with a bar and a percentage; `done` from 0 to 1, negative: not known. */
void progress_bar(FILE *out, double done);

/* Clears the line. */
void progress_end(struct progress *p);

#endif
