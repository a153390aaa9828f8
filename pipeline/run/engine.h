/* SPDX-License-Identifier: MIT */
/*
 * The engine: one thread per worker, each with a reader of the source and what the task makes of
 * its pages. Starting, waiting, stopping, ticking, giving up and handing over the first error are
 * done here, once, for every task.
 */
#ifndef RUN_ENGINE_H
#define RUN_ENGINE_H

#include <stdatomic.h>

#include "pipeline/base/env.h"
#include "pipeline/run/task.h"

struct engine_config {
    struct source *source;
    uint32_t workers;
    uint32_t ahead;          /* segments a worker has started at once; 0: as the source wants */
    const atomic_bool *stop; /* the operator asked to stop; NULL: cannot */
    const struct env *env;
};

/* thread: main. Returns what the task concluded; if it does not, the first error of a worker. */
enum rc engine_run(struct task *task, const struct engine_config *config,
                   struct err *err) MUST_CHECK;

#endif
