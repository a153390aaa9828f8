/* SPDX-License-Identifier: MIT */
/* Is it the right model at all? The first items of a run tell, all its workers' together. */
#ifndef RUN_JUDGE_H
#define RUN_JUDGE_H

#include "pipeline/run/worker.h"

/* Before the workers start. */
void judge_seed(struct run_shared *shared, const struct run_state *state);

/* thread: any. What a page added to its segment's counters; RC_SOURCE: it is the wrong model. */
enum rc judge_items(struct run_shared *shared, const uint64_t *before, const uint64_t *after,
                    struct err *err) MUST_CHECK;

#endif
