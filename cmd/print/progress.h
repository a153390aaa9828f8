/* SPDX-License-Identifier: MIT */
/*
 * Progress while a run goes on: a redrawn line on a terminal, plain or JSON lines every ten
 * seconds otherwise. Everything goes to standard error.
 */
#ifndef CMD_PRINT_PROGRESS_H
#define CMD_PRINT_PROGRESS_H

#include "pipeline/run/pace.h"

enum { PROGRESS_DRAW_US = 500000, PROGRESS_LINE_US = 10000000 };

struct progress {
    FILE *out;
    const struct env *env;
    bool quiet, terminal, json;
    struct pace pace;
    struct source *metered; /* borrowed; NULL: the source counts no units */
    bool drawn;
    bool begun; /* workers have started */
};

void progress_init(struct progress *p, FILE *out, const struct env *env);

/* A tick of run_setup; ctx is the struct progress. */
void progress_tick(void *ctx, const struct run_progress *workers, uint32_t n,
                   const struct run_state *state);

/*
 * Tells what the sink does while nothing is read; ctx is the struct progress. A plain line is
 * printed at once if the run has not begun, else, as other lines, not within ten seconds of the
 * last.
 */
void progress_doing(void *ctx, const char *what);

/* Tells how far the sink is with its last steps, as often as of the items before. */
void progress_finishing(void *ctx, const struct sink_finishing *how);

/* Begins the line anew with a bar and a percentage. `done` is 0 to 1, negative if not known. */
void progress_bar(FILE *out, double done);

/* Clears the line. */
void progress_end(struct progress *p);

#endif
