/* SPDX-License-Identifier: MIT */
/* The steps on several connections at once. */
#ifndef SINKS_POSTGRES_FINISH_LANES_H
#define SINKS_POSTGRES_FINISH_LANES_H

#include "sinks/postgres/finish/steps.h"

/*
 * Does all steps, on as many connections as the run has workers, and says how far it is. `amounts`:
 * of each step what it counted. After an error nothing is begun any more, what is under way ends.
 */
enum rc pg_lanes_walk(struct pg_run *r, const struct pg_steps *steps, uint64_t *amounts,
                      struct err *err) MUST_CHECK;

/* What the sessions of n lanes are given, and the statements that do it. */
struct pg_lane_settings {
    uint32_t memory_mb, parallel;
    char sql[160];
};
/* lane_settings.c: never less memory than the server's own setting. */
enum rc pg_lane_settings(struct pg_run *r, uint32_t n, struct pg_lane_settings *out,
                         struct err *err) MUST_CHECK;

/* lane_settings.c: how far the server is with the index that a backend builds; negative: not known. */
double pg_lane_share(struct pg_run *r, int pid);

#endif
