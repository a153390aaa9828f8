/* SPDX-License-Identifier: MIT */
/*
 * The loop of a worker: keep enough segments started, take a page, let the task move on, wait if
 * there was no page. The only place it waits is the reader's wait, with the task's descriptors
 * among those it waits for.
 */
#include "pipeline/run/engine_private.h"

enum { MAX_FDS = 8, WAIT_MS = 200, FULL_MS = 20 };

static int64_t mono(const struct engine *e)
{
    return e->config->env->mono_us(e->config->env->ctx);
}

static bool must_stop(const struct engine *e)
{
    const atomic_bool *stop = e->config->stop;
    return atomic_load(&e->halt) || atomic_load(&e->enough) || (stop && atomic_load(stop));
}

/* ---- segments ------------------------------------------------------------------------------ */

static enum rc take(struct engine *e, struct task_worker *w, uint32_t *segment, struct err *err)
{
    struct source *source = e->config->source;
    if (w->again.n) {
        *segment = w->again.v[--w->again.n];
        return RC_OK;
    }
    if (w->no_more)
        return RC_END;
    if (e->task->ops->take)
        return e->task->ops->take(e->task, w, segment, err);
    return source->ops->take(source, w->reader, segment, err);
}

/* RC_OK started or skipped one, RC_AGAIN none now, RC_END none left. */
static enum rc start_one(struct engine_seat *s, struct err *err)
{
    struct engine *e = s->engine;
    struct task_worker *w = s->w;
    struct claim claim = {.state = CLAIM_MINE};
    uint32_t segment = 0;
    enum rc rc = take(e, w, &segment, err);
    if (rc)
        return rc;
    if (e->task->ops->claim)
        rc = e->task->ops->claim(e->task, w, segment, &claim, err);
    if (rc || claim.state != CLAIM_MINE) {
        w->reader->ops->skip(w->reader, segment);
        return rc;
    }
    if (task_segments_add(&w->open, segment))
        return err_nomem(err);
    s->read = false;
    return w->reader->ops->start(w->reader, segment, claim.resume, err);
}

static uint32_t ahead(const struct engine *e)
{
    uint32_t n = e->config->ahead ? e->config->ahead : e->config->source->ahead;
    return n ? n : 1;
}

static enum rc start_segments(struct engine_seat *s, struct err *err)
{
    struct task_worker *w = s->w;
    uint32_t most = ahead(s->engine);
    while ((w->again.n || !w->no_more) && w->open.n < most) {
        enum rc rc = start_one(s, err);
        if (rc == RC_END) {
            w->no_more = true;
        } else if (rc == RC_AGAIN) {
            break;
        } else if (rc) {
            return rc;
        }
    }
    return RC_OK;
}

/* ---- pages --------------------------------------------------------------------------------- */

static enum rc hand_over(struct engine_seat *s, struct page *page, struct err *err)
{
    enum rc rc = s->w->ops->page(s->w, page, err);
    if (rc == RC_AGAIN)
        return RC_OK;
    task_page_done(s->w, page);
    if (rc != RC_END)
        return rc;
    atomic_store(&s->engine->enough, true);
    return RC_OK;
}

/* *got: there was one. */
static enum rc take_page(struct engine_seat *s, bool *got, struct err *err)
{
    struct page *page = NULL;
    enum rc rc = s->w->reader->ops->next(s->w->reader, &page, err);
    *got = !rc;
    if (!rc)
        return hand_over(s, page, err);
    s->read = rc == RC_END && s->w->no_more && s->w->open.n == 0;
    return rc == RC_END || rc == RC_AGAIN ? RC_OK : rc;
}

/* ---- what is under way --------------------------------------------------------------------- */

static enum rc step(struct engine_seat *s, enum task_phase phase, struct err *err)
{
    s->state = TASK_IDLE;
    return s->w->ops->step ? s->w->ops->step(s->w, phase, &s->state, err) : RC_OK;
}

static int timeout_ms(const struct engine_seat *s)
{
    int64_t due = s->w->ops->due_us ? s->w->ops->due_us(s->w) : INT64_MAX;
    if (due == INT64_MAX)
        return WAIT_MS;
    int64_t left = due - mono(s->engine);
    int64_t ms = left > 0 ? (left + 999) / 1000 : 0;
    return ms < WAIT_MS ? (int)ms : WAIT_MS;
}

static size_t task_fds(struct engine_seat *s, struct pollfd fds[MAX_FDS])
{
    return s->w->ops->fds ? s->w->ops->fds(s->w, fds, MAX_FDS) : 0;
}

static enum rc wait(struct engine_seat *s, struct err *err)
{
    struct pollfd fds[MAX_FDS];
    int64_t before = mono(s->engine);
    enum rc rc =
        s->w->reader->ops->wait(s->w->reader, fds, task_fds(s, fds), timeout_ms(s), err);
    /* a reader that has pages does not wait, and now nobody takes them */
    if (!rc && s->state == TASK_FULL)
        (void)poll(fds, (nfds_t)task_fds(s, fds), FULL_MS);
    s->w->idle_us += mono(s->engine) - before;
    return rc;
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* One turn: RC_OK, RC_END when all is read and done, or an error. */
static enum rc turn(struct engine_seat *s, struct err *err)
{
    bool got = false;
    enum rc rc = start_segments(s, err);
    if (!rc && s->state != TASK_FULL)
        rc = take_page(s, &got, err);
    if (!rc)
        rc = step(s, s->read ? TASK_READ : TASK_READING, err);
    bool back = s->w->again.n && s->w->open.n == 0; /* there is something to be started */
    if (rc || got || back)
        return rc;
    return s->read && s->state == TASK_IDLE ? RC_END : wait(s, err);
}

static enum rc wind_up(struct engine_seat *s, enum task_phase phase, struct err *err)
{
    enum rc rc = step(s, phase, err);
    while (!rc && s->state != TASK_IDLE) {
        rc = wait(s, err);
        if (!rc)
            rc = step(s, phase, err);
    }
    return rc;
}

static enum rc work(struct engine_seat *s, struct err *err)
{
    enum rc rc = s->w->ops->begin ? s->w->ops->begin(s->w, err) : RC_OK;
    while (!rc && !must_stop(s->engine))
        rc = turn(s, err);
    if (rc == RC_END)
        return RC_OK;
    return rc ? rc : wind_up(s, TASK_STOPPING, err);
}

void engine_work(struct engine_seat *s)
{
    struct err err = {0}, late = {0};
    int64_t start = mono(s->engine);
    if (work(s, &err)) {
        engine_fail(s->engine, &err);
        if (wind_up(s, TASK_FAILED, &late))
            engine_fail(s->engine, &late);
    }
    s->w->busy_us = mono(s->engine) - start;
}
