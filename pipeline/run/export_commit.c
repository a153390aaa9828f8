/* SPDX-License-Identifier: MIT */
/*
 * Commits of a worker: one at a time is under way, with the marks it carries set aside, while the
 * next pages count anew. Its steps never block.
 */
#include "pipeline/run/export_private.h"

static int64_t mono(const struct export_worker *w)
{
    const struct env *env = w->task->setup->env;
    return env->mono_us(env->ctx);
}

bool export_commit_due(const struct export_worker *w)
{
    return mono(w) - w->last_commit >= w->task->setup->commit_us;
}

size_t export_commit_fds(struct export_worker *w, struct pollfd *fds, size_t cap)
{
    return w->committing ? sink_worker_fds(w->sink, fds, cap) : 0;
}

/* The sink has made it durable: what it carried counts. */
static void committed(struct export_worker *w)
{
    struct export_task *t = w->task;
    const struct mark *marks = NULL;
    size_t n = marks_view(&w->flying, &marks);
    uint32_t done = 0;
    pthread_mutex_lock(&t->mu);
    for (size_t i = 0; i < n; i++) {
        done += marks[i].done;
        for (uint32_t c = 0; c < t->ncounters; c++)
            t->counters[c] += marks[i].counters[c];
    }
    pthread_mutex_unlock(&t->mu);
    atomic_fetch_add(&w->progress->segments, done);
    marks_release(&w->flying);
    extras_clear(&w->carried);
    w->committing = false;
}

/* What a commit, or a step of it, has come to. */
static enum rc settle(struct export_worker *w, enum rc rc, enum commit_outcome outcome,
                      struct err *err)
{
    if (rc && outcome == COMMIT_FENCED) {
        return err_hint(
            err, "this process was silent for too long; run it again if the other one fails");
    }
    if (!rc && outcome == COMMIT_DONE)
        committed(w);
    w->forgotten = w->forgotten || (!rc && outcome == COMMIT_FORGOTTEN);
    return rc;
}

enum rc export_commit_step(struct export_worker *w, struct err *err)
{
    enum commit_outcome outcome = COMMIT_DONE;
    if (!w->committing || w->forgotten)
        return RC_OK;
    enum rc rc = sink_worker_step(w->sink, &outcome, err);
    return settle(w, rc, outcome, err);
}

/* Moves the touched marks to `flying`, so that new pages count anew. */
static enum rc set_aside(struct export_worker *w, struct err *err)
{
    for (size_t i = 0; i < w->marks.n; i++) {
        struct seg_mark *from = &w->marks.v[i];
        if (!from->touched)
            continue;
        if (marks_add(&w->flying, from->segment, from->epoch))
            return err_nomem(err);
        struct seg_mark *to = &w->flying.v[w->flying.n - 1];
        to->touched = true;
        to->done = from->done;
        buf_add_str(&to->resume, buf_view(&from->resume));
        memcpy(to->counters, from->counters, w->task->ncounters * sizeof *to->counters);
        if (to->resume.rc)
            return err_nomem(err);
    }
    (void)marks_committed(&w->marks);
    extras_move(&w->carried, &w->extras);
    return RC_OK;
}

enum rc export_commit_begin(struct export_worker *w, struct err *err)
{
    const struct mark *marks = NULL;
    w->last_commit = mono(w);
    enum rc rc = set_aside(w, err);
    if (rc)
        return rc;
    size_t n = marks_view(&w->flying, &marks);
    if (n == 0)
        return RC_OK;
    w->committing = true;
    w->flying.out[0].extras = &w->carried;
    enum commit_outcome outcome = COMMIT_DONE;
    rc = w->sink->ops->commit(w->sink, marks, n, &outcome, err);
    return settle(w, rc, outcome, err);
}

static enum rc go_back(struct export_worker *w, struct marks *marks)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < marks->n && !rc; i++)
        rc = task_go_back(&w->base, marks->v[i].segment);
    marks_release(marks);
    return rc;
}

enum rc export_commit_rewind(struct export_worker *w, struct err *err)
{
    enum rc rc = go_back(w, &w->flying);
    if (!rc)
        rc = go_back(w, &w->marks);
    w->committing = w->forgotten = false;
    extras_clear(&w->extras);
    extras_clear(&w->carried);
    return rc ? err_nomem(err) : RC_OK;
}
