/* SPDX-License-Identifier: MIT */
/* What the threads of the engine share. */
#ifndef RUN_ENGINE_PRIVATE_H
#define RUN_ENGINE_PRIVATE_H

#include <pthread.h>

#include "pipeline/run/engine.h"

struct engine {
    struct task *task;
    const struct engine_config *config;
    struct engine_seat *seats;
    uint32_t n;
    atomic_bool halt;   /* a worker failed, or could not be started */
    atomic_bool enough; /* a worker said so: the others stop, and all is well */
    pthread_mutex_t mu;
    pthread_cond_t ended; /* a worker has */
    uint32_t living;      /* lock: mu */
    struct err first;     /* lock: mu. The first error wins */
};

/* A worker and its thread. */
struct engine_seat {
    struct engine *engine;
    struct task_worker *w;
    pthread_t thread;
    bool started;
    /* the thread's own */
    enum task_state state;
    bool read; /* the source has no more and every page is done */
};

/* thread: worker. Its whole life. */
void engine_work(struct engine_seat *s);

/* thread: any. Keeps the first error and stops the others. */
void engine_fail(struct engine *e, const struct err *err);

#endif
