/* SPDX-License-Identifier: MIT */
/*
 * What --metrics writes: gauges of the last call, in the text format of Prometheus. Samples of one
 * name stand together, so a name is begun once and then given its samples.
 */
#ifndef CMD_PRINT_METRICS_H
#define CMD_PRINT_METRICS_H

#include "pipeline/base/buf.h"

struct metrics {
    struct buf text;
    struct buf labels; /* that every sample has, a comma behind each */
    const char *name;  /* borrowed: of the samples that follow */
};

void metrics_init(struct metrics *m);
void metrics_release(struct metrics *m);

/* Adds a label that every sample from here on has. */
void metrics_label(struct metrics *m, const char *name, struct str value);

/* Begins a gauge, whose name is valid for as long as it is given samples. */
void metrics_begin(struct metrics *m, const char *name, const char *help);

/* Adds a sample of it; `label` NULL: with the common labels alone. */
void metrics_add(struct metrics *m, const char *label, struct str value, double number);

/* Begins a gauge and gives it its one sample. */
void metrics_one(struct metrics *m, const char *name, const char *help, double number);

/*
 * Finds the gauge `name` of this command in the text that an earlier call wrote: its number goes to
 * *number. False: it has none.
 */
bool metrics_find(struct str text, const char *name, struct str command, double *number);

#endif
