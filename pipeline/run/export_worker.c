/* SPDX-License-Identifier: MIT */
/*
 * A worker of an export: turns pages into rows, hands them to the sink, and commits when the sink
 * or the clock asks for it.
 */
#include <stdlib.h>

#include "pipeline/run/export_private.h"
#include "pipeline/transform/transform.h"

/* a batch takes a fraction of a millisecond, a socket lasts its server for some */
enum { MAX_FDS = 8, FEED_BATCHES = 24 };

static struct export_worker *self(struct task_worker *base)
{
    return (struct export_worker *)(void *)base;
}

static enum rc worker_begin(struct task_worker *base, struct err *err)
{
    struct export_worker *w = self(base);
    const struct run_setup *setup = w->task->setup;
    w->last_commit = setup->env->mono_us(setup->env->ctx);
    w->transform = transform_new(
        setup->plan, &(struct transform_options){
                         .now_us = w->task->out->state.now_us,
                         .mask_key = setup->mask_key,
                         .plain = setup->source->plain,
                         .keyless = setup->sink->keyless,
                         .extras = &w->extras,
                         .keep_nulls = setup->sink->keep_nulls,
                         .examples = setup->no_examples ? NULL : w->task->out->examples});
    return w->transform ? RC_OK : err_nomem(err);
}

/* ---- pages --------------------------------------------------------------------------------- */

/* Has the server emptied most of what it was sent, or answered? */
static bool hungry(struct export_worker *w)
{
    struct pollfd fds[MAX_FDS];
    size_t n = export_commit_fds(w, fds, MAX_FDS);
    return n > 0 && poll(fds, (nfds_t)n, 0) > 0;
}

/* The rows of a page. A server that takes the commit under way is fed between the batches: it
   would soon be out of work, as a page takes longer than a socket holds out. */
static enum rc make_rows(struct export_worker *w, const struct page *page, uint64_t *counters,
                         struct err *err)
{
    struct batch batch;
    size_t at = 0;
    unsigned batches = 0;
    enum rc rc = RC_END;
    while (!w->forgotten &&
           !(rc = transform_page(w->transform, page, &at, &batch, counters, err))) {
        rc = w->sink->ops->rows(w->sink, &batch, err);
        if (!rc && ++batches % FEED_BATCHES == 0 && hungry(w))
            rc = export_commit_step(w, err);
        if (rc)
            return rc;
    }
    return rc == RC_END ? RC_OK : rc;
}

static void report(struct run_progress *p, const struct page *page, const uint64_t *before,
                   const uint64_t *after)
{
    atomic_fetch_add(&p->items, after[CNT_READ] - before[CNT_READ]);
    atomic_fetch_add(&p->rejected, after[CNT_REJECTED] - before[CNT_REJECTED]);
    atomic_fetch_add(&p->unrouted, after[CNT_UNROUTED] - before[CNT_UNROUTED]);
    atomic_fetch_add(&p->bytes_in, page->bytes_in);
    atomic_fetch_add(&p->bytes_passed, page->bytes_passed);
}

static enum rc find_mark(struct export_worker *w, const struct page *page,
                         struct seg_mark **mark, struct err *err)
{
    *mark = marks_find(&w->marks, page->segment);
    if (!*mark) {
        return err_set(err, RC_SOURCE, "a page of segment %u, which was not started",
                       page->segment);
    }
    if (page->sequence != (*mark)->sequence++) {
        return err_set(err, RC_SOURCE, "segment %u: page %llu out of order", page->segment,
                       (unsigned long long)page->sequence);
    }
    return RC_OK;
}

static enum rc worker_page(struct task_worker *base, struct page *page, struct err *err)
{
    struct export_worker *w = self(base);
    struct seg_mark *mark = NULL;
    uint64_t before[CNT_FIXED];
    enum rc rc = find_mark(w, page, &mark, err);
    if (rc)
        return rc;
    memcpy(before, mark->counters, sizeof before);
    const uint64_t *after = mark->counters;
    rc = make_rows(w, page, mark->counters, err);
    if (rc || w->forgotten)
        return rc;
    mark->touched = true;
    mark->done = page->last;
    buf_clear(&mark->resume);
    buf_add_str(&mark->resume, buf_view(&page->resume));
    report(w->progress, page, before, after);
    rc = buf_check(&mark->resume, err);
    if (rc)
        return rc;
    uint64_t bad =
        after[CNT_REJECTED] - before[CNT_REJECTED] + after[CNT_UNROUTED] - before[CNT_UNROUTED];
    return model_fit_page(&w->task->fit, after[CNT_READ] - before[CNT_READ], bad, err);
}

/* ---- commits ------------------------------------------------------------------------------- */

/* With no page to come all is committed, unless the model turned out to be the wrong one. */
static bool commit_wanted(const struct export_worker *w, enum task_phase phase)
{
    if (w->committing)
        return false;
    if (phase != TASK_READING)
        return !atomic_load(&w->task->fit.wrong);
    return sink_worker_full(w->sink) || export_commit_due(w);
}

static enum rc worker_step(struct task_worker *base, enum task_phase phase,
                           enum task_state *state, struct err *err)
{
    struct export_worker *w = self(base);
    if (phase == TASK_FAILED)
        return RC_OK;
    enum rc rc = export_commit_step(w, err);
    if (!rc && !w->forgotten && commit_wanted(w, phase))
        rc = export_commit_begin(w, err);
    if (!rc && w->forgotten)
        rc = export_commit_rewind(w, err);
    if (rc || !w->committing)
        return rc;
    bool full = phase != TASK_READING || sink_worker_full(w->sink);
    *state = full ? TASK_FULL : TASK_BUSY;
    return RC_OK;
}

static size_t worker_fds(struct task_worker *base, struct pollfd *fds, size_t cap)
{
    return export_commit_fds(self(base), fds, cap);
}

/* ---- life ---------------------------------------------------------------------------------- */

static void worker_close(struct task_worker *base)
{
    struct export_worker *w = self(base);
    w->sink->ops->close(w->sink);
    transform_free(w->transform);
    marks_release(&w->marks);
    marks_release(&w->flying);
    extras_release(&w->extras);
    extras_release(&w->carried);
    free(w);
}

static const struct task_worker_ops OPS = {.begin = worker_begin,
                                           .page = worker_page,
                                           .step = worker_step,
                                           .fds = worker_fds,
                                           .close = worker_close};

struct task_worker *export_worker_new(struct export_task *t, uint32_t index, struct err *err)
{
    struct export_worker *w = task_worker_new(sizeof *w, &OPS, err);
    struct sink *sink = t->setup->sink;
    if (!w)
        return NULL;
    w->task = t;
    w->progress = &t->progress[index];
    marks_init(&w->marks, t->ncounters);
    marks_init(&w->flying, t->ncounters);
    const struct schema *schema = &t->setup->plan->schema;
    bool examples = !t->setup->no_examples;
    if (extras_init(&w->extras, schema, examples) ||
        extras_init(&w->carried, schema, examples)) {
        (void)err_nomem(err);
    } else {
        w->sink = sink->ops->worker(sink, index, err);
    }
    if (w->sink)
        return &w->base;
    extras_release(&w->extras);
    extras_release(&w->carried);
    free(w);
    return NULL;
}
