/* SPDX-License-Identifier: MIT */
/* One worker: a thread that takes segments, turns pages into rows and commits them. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <pthread.h>

#include "pipeline/run/run.h"

/* What the workers of a run share. */
struct run_shared {
    const struct run_setup *setup;
    const struct run_state *state;
    atomic_bool halt; /* an error, or the operator: finish the page, commit, stop */
    atomic_uint_fast64_t seen, bad;
    atomic_bool judged; /* the first items were looked at */
    atomic_bool wrong;  /* they did not fit: nothing more is committed */
    pthread_mutex_t mu;
    struct err first;   /* lock: mu. The first error wins */
    uint64_t *counters; /* lock: mu. What this process committed */
};

struct worker {
    struct run_shared *shared;
    struct run_progress *progress;
    struct sink_worker *sink;
    struct reader *reader;
    pthread_t thread;
    bool started;
};

/* A pthread start routine; the argument is a struct worker. */
void *worker_main(void *arg);

/* thread: any. Keeps the first error and stops the others. */
void run_fail(struct run_shared *shared, const struct err *err);

#endif
