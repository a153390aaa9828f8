/* SPDX-License-Identifier: MIT */
/* The frame: workers, their threads, the look round while they run, and what they came to. */
#include <stdlib.h>

#include "pipeline/run/engine_private.h"

enum { LOOK_NS = 10000000 };

void engine_fail(struct engine *e, const struct err *err)
{
    (void)pthread_mutex_lock(&e->mu);
    if (!e->first.rc)
        e->first = *err;
    (void)pthread_mutex_unlock(&e->mu);
    atomic_store(&e->halt, true);
}

static void *thread_main(void *arg)
{
    struct engine_seat *s = arg;
    struct engine *e = s->engine;
    engine_work(s);
    (void)pthread_mutex_lock(&e->mu);
    e->living--;
    (void)pthread_cond_signal(&e->ended);
    (void)pthread_mutex_unlock(&e->mu);
    return NULL;
}

/* ---- workers ------------------------------------------------------------------------------- */

static enum rc init(struct engine *e, struct err *err)
{
    pthread_condattr_t clock;
    (void)pthread_mutex_init(&e->mu, NULL);
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&e->ended, &clock);
    (void)pthread_condattr_destroy(&clock);
    e->seats = calloc((size_t)e->config->workers + 1, sizeof *e->seats);
    return e->seats ? RC_OK : err_nomem(err);
}

static enum rc make_worker(struct engine *e, struct engine_seat *s, struct err *err)
{
    struct source *source = e->config->source;
    struct reader *reader = source->ops->reader(source, err);
    if (!reader)
        return err->rc;
    s->w = e->task->ops->worker(e->task, reader, e->n, err);
    if (!s->w) {
        reader->ops->free(reader);
        return err->rc;
    }
    s->w->reader = reader;
    s->engine = e;
    e->n++;
    return RC_OK;
}

static enum rc make_workers(struct engine *e, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && e->n < e->config->workers)
        rc = make_worker(e, &e->seats[e->n], err);
    return rc;
}

/* What is left of the worker is freed by its own close, if it has one. */
static void close_worker(struct engine *e, struct task_worker *w)
{
    struct task_worker last = *w;
    e->task->idle_us += (uint64_t)last.idle_us;
    e->task->busy_us += (uint64_t)last.busy_us;
    if (last.ops->close) {
        last.ops->close(w);
    } else {
        free(w);
    }
    last.reader->ops->free(last.reader);
    free(last.open.v);
    free(last.again.v);
}

static void close_workers(struct engine *e)
{
    for (uint32_t i = 0; i < e->n; i++) {
        if (e->seats[i].w)
            close_worker(e, e->seats[i].w);
    }
}

static void release(struct engine *e)
{
    free(e->seats);
    (void)pthread_mutex_destroy(&e->mu);
    (void)pthread_cond_destroy(&e->ended);
}

/* ---- while they run ------------------------------------------------------------------------ */

static void start(struct engine *e, struct engine_seat *s)
{
    (void)pthread_mutex_lock(&e->mu);
    int code = pthread_create(&s->thread, NULL, thread_main, s);
    s->started = code == 0;
    e->living += code == 0;
    (void)pthread_mutex_unlock(&e->mu);
    if (code) {
        struct err err = {0};
        (void)err_errno(&err, RC_TRANSIENT, code, "cannot start a thread");
        engine_fail(e, &err);
    }
}

/* Until all workers have ended, or it is time to look round; true: they have. */
static bool wait_for_workers(struct engine *e)
{
    struct timespec until;
    int code = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&e->mu);
    while (e->living && code == 0)
        code = pthread_cond_timedwait(&e->ended, &e->mu, &until);
    bool none = e->living == 0;
    (void)pthread_mutex_unlock(&e->mu);
    return none;
}

static bool asked_to_stop(const struct engine *e)
{
    return e->config->stop && atomic_load(e->config->stop);
}

static void look_round(struct engine *e)
{
    struct source *source = e->config->source;
    struct err err = {0};
    if (e->task->ops->tick)
        e->task->ops->tick(e->task);
    if (source->ops->tick && !atomic_load(&e->halt) && source->ops->tick(source, &err))
        engine_fail(e, &err);
    if (!asked_to_stop(e) && !atomic_load(&e->halt) && !atomic_load(&e->enough))
        return;
    for (uint32_t i = 0; i < e->n; i++)
        e->seats[i].w->reader->ops->wake(e->seats[i].w->reader);
}

static void run_threads(struct engine *e)
{
    for (uint32_t i = 0; i < e->n && !atomic_load(&e->halt); i++)
        start(e, &e->seats[i]);
    /* However soon they end, the task has seen them run: what it tells depends on no race. */
    look_round(e);
    while (!wait_for_workers(e))
        look_round(e);
    for (uint32_t i = 0; i < e->n; i++) {
        if (e->seats[i].started)
            (void)pthread_join(e->seats[i].thread, NULL);
    }
}

enum rc engine_run(struct task *task, const struct engine_config *config, struct err *err)
{
    struct engine e = {.task = task, .config = config};
    enum rc rc = init(&e, err);
    if (!rc)
        rc = make_workers(&e, err);
    if (!rc)
        run_threads(&e);
    close_workers(&e);
    if (e.first.rc) {
        *err = e.first;
        rc = err->rc;
    }
    bool stopped = asked_to_stop(&e);
    release(&e);
    return task->ops->conclude ? task->ops->conclude(task, rc, stopped, err) : rc;
}
