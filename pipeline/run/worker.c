/* SPDX-License-Identifier: MIT */
/*
 * The worker loop: keep enough segments started, take a page, make rows, hand them to the
 * sink, commit when the sink or the clock asks for it. The only place it waits is the
 * reader's wait, with the sink's descriptors among those it waits for.
 */
#include "pipeline/run/worker.h"

#include <stdlib.h>

#include "pipeline/run/judge.h"
#include "pipeline/run/marks.h"
#include "pipeline/run/pass.h"

/* a batch takes a fraction of a millisecond, a socket lasts its server for some */
enum { MAX_FDS = 8, WAIT_MS = 200, SINK_MS = 20, FEED_BATCHES = 24 };

struct loop {
    struct worker *w;
    const struct run_setup *setup;
    struct pass *pass;
    struct marks marks;
    struct marks flying; /* what the commit under way carries */
    uint32_t *again;     /* segments to be claimed and started once more */
    size_t nagain;
    bool committing;
    bool no_more;  /* the source has no segment left to take */
    uint32_t open; /* segments started and not ended */
    int64_t last_commit;
    uint64_t ncounters;
};

void run_fail(struct run_shared *shared, const struct err *err)
{
    pthread_mutex_lock(&shared->mu);
    if (shared->first.rc == RC_OK)
        shared->first = *err;
    pthread_mutex_unlock(&shared->mu);
    atomic_store(&shared->halt, true);
}

static bool must_stop(const struct loop *l)
{
    return atomic_load(&l->w->shared->halt) || atomic_load(l->setup->stop);
}

static int64_t mono(const struct loop *l)
{
    return l->setup->env->mono_us(l->setup->env->ctx);
}

static enum rc take(struct loop *l, uint32_t *segment, struct err *err)
{
    struct source *source = l->setup->source;
    if (l->nagain == 0)
        return l->no_more ? RC_END : source->ops->take(source, l->w->reader, segment, err);
    *segment = l->again[--l->nagain];
    return RC_OK;
}

/* RC_OK started or skipped one, RC_AGAIN none now, RC_END none left. */
static enum rc start_one(struct loop *l, struct err *err)
{
    struct reader *r = l->w->reader;
    struct claim claim = {.state = CLAIM_DONE};
    uint32_t segment = 0;
    enum rc rc = take(l, &segment, err);
    if (rc != RC_OK)
        return rc;
    rc = l->setup->sink->ops->claim(l->setup->sink, segment, &claim, err);
    if (rc != RC_OK || claim.state != CLAIM_MINE) {
        r->ops->skip(r, segment);
        return rc;
    }
    if (marks_add(&l->marks, segment, claim.epoch) != RC_OK)
        return err_nomem(err);
    rc = r->ops->start(r, segment, claim.resume, err);
    l->open += rc == RC_OK;
    return rc;
}

static enum rc start_segments(struct loop *l, struct err *err)
{
    uint32_t ahead = l->setup->source->ahead ? l->setup->source->ahead : 1;
    while ((l->nagain || !l->no_more) && l->open < ahead) {
        enum rc rc = start_one(l, err);
        if (rc == RC_END) {
            l->no_more = true;
        } else if (rc == RC_AGAIN) {
            break;
        } else if (rc != RC_OK) {
            return rc;
        }
    }
    return RC_OK;
}

static void report(struct loop *l, const struct page *page, const uint64_t *before,
                   const uint64_t *after)
{
    struct run_progress *p = l->w->progress;
    atomic_fetch_add(&p->items, after[CNT_READ] - before[CNT_READ]);
    atomic_fetch_add(&p->rejected, after[CNT_REJECTED] - before[CNT_REJECTED]);
    atomic_fetch_add(&p->unrouted, after[CNT_UNROUTED] - before[CNT_UNROUTED]);
    atomic_fetch_add(&p->bytes_in, page->bytes_in);
    atomic_fetch_add(&p->bytes_passed, page->bytes_passed);
}

/* The sink has made it durable: what it carried counts. */
static void committed(struct loop *l)
{
    struct run_shared *shared = l->w->shared;
    const struct mark *marks = NULL;
    size_t n = marks_view(&l->flying, &marks);
    uint32_t done = 0;
    pthread_mutex_lock(&shared->mu);
    for (size_t i = 0; i < n; i++) {
        done += marks[i].done;
        for (uint64_t c = 0; c < l->ncounters; c++)
            shared->counters[c] += marks[i].counters[c];
    }
    pthread_mutex_unlock(&shared->mu);
    atomic_fetch_add(&l->w->progress->segments, done);
    marks_release(&l->flying);
    l->committing = false;
}

/* Moves the commit under way on; RC_OK also while it goes on. */
static enum rc step_commit(struct loop *l, struct err *err)
{
    if (!l->committing)
        return RC_OK;
    enum rc rc = l->w->sink->ops->step(l->w->sink, err);
    if (rc == RC_OK)
        committed(l);
    return rc == RC_AGAIN ? RC_OK : rc;
}

/* Has the server emptied most of what it was sent, or answered? */
static bool hungry(struct loop *l)
{
    struct pollfd fds[MAX_FDS];
    size_t n = l->committing ? l->w->sink->ops->fds(l->w->sink, fds, MAX_FDS) : 0;
    return n > 0 && poll(fds, (nfds_t)n, 0) > 0;
}

/* The rows of a page. A server that takes the commit under way is fed between the batches: it
   would soon be out of work, as a page takes longer than a socket holds out. */
static enum rc make_rows(struct loop *l, const struct page *page, uint64_t *counters,
                         struct err *err)
{
    struct batch batch;
    size_t at = 0;
    unsigned batches = 0;
    enum rc rc;
    while ((rc = pass_page(l->pass, page, &at, &batch, counters, err)) == RC_OK) {
        rc = l->w->sink->ops->rows(l->w->sink, &batch, err);
        if (rc == RC_OK && ++batches % FEED_BATCHES == 0 && hungry(l))
            rc = step_commit(l, err);
        if (rc != RC_OK)
            return rc;
    }
    return rc == RC_END ? RC_OK : rc;
}

static enum rc take_page(struct loop *l, const struct page *page, struct err *err)
{
    struct seg_mark *mark = marks_find(&l->marks, page->segment);
    if (!mark) {
        return err_set(err, RC_SOURCE, "a page of segment %u, which was not started",
                       page->segment);
    }
    if (page->sequence != mark->sequence++) {
        return err_set(err, RC_SOURCE, "segment %u: page %llu out of order", page->segment,
                       (unsigned long long)page->sequence);
    }
    uint64_t before[CNT_FIXED];
    memcpy(before, mark->counters, sizeof before);
    enum rc rc = make_rows(l, page, mark->counters, err);
    if (rc != RC_OK)
        return rc;
    mark->touched = true;
    mark->done = page->last;
    buf_clear(&mark->resume);
    buf_add_str(&mark->resume, buf_view(&page->resume));
    l->open -= page->last;
    report(l, page, before, mark->counters);
    rc = buf_check(&mark->resume, err);
    return rc == RC_OK ? judge_items(l->w->shared, before, mark->counters, err) : rc;
}

/* Moves the touched marks to `flying`, so that new pages count anew. */
static enum rc hand_over(struct loop *l, struct err *err)
{
    for (size_t i = 0; i < l->marks.n; i++) {
        struct seg_mark *from = &l->marks.v[i];
        if (!from->touched)
            continue;
        if (marks_add(&l->flying, from->segment, from->epoch) != RC_OK)
            return err_nomem(err);
        struct seg_mark *to = &l->flying.v[l->flying.n - 1];
        to->touched = true;
        to->done = from->done;
        buf_add_str(&to->resume, buf_view(&from->resume));
        memcpy(to->counters, from->counters, l->ncounters * sizeof *to->counters);
        if (to->resume.rc != RC_OK)
            return err_nomem(err);
    }
    (void)marks_committed(&l->marks);
    return RC_OK;
}

static enum rc rewind_marks(struct loop *l, struct marks *marks)
{
    for (size_t i = 0; i < marks->n; i++) {
        uint32_t segment = marks->v[i].segment;
        bool listed = false;
        for (size_t k = 0; k < l->nagain && !listed; k++)
            listed = l->again[k] == segment;
        if (listed)
            continue;
        uint32_t *grown = realloc(l->again, (l->nagain + 1) * sizeof *grown);
        if (!grown)
            return RC_NOMEM;
        l->again = grown;
        l->again[l->nagain++] = segment;
        l->w->reader->ops->stop(l->w->reader, segment);
    }
    marks_release(marks);
    return RC_OK;
}

/* Back to where the ledger is: no page is in work, and the sink has dropped what it had. */
static enum rc rewind_all(struct loop *l, struct err *err)
{
    enum rc rc = rewind_marks(l, &l->flying);
    if (rc == RC_OK)
        rc = rewind_marks(l, &l->marks);
    l->open = 0;
    l->committing = false;
    return rc == RC_OK ? RC_OK : err_nomem(err);
}

/* Another process has our segments: that is no wish of the operator. */
static enum rc lost(struct loop *l, enum rc rc, struct err *err)
{
    if (rc == RC_END)
        return rewind_all(l, err);
    if (rc != RC_CANCEL)
        return rc == RC_AGAIN ? RC_OK : rc;
    err->rc = RC_TRANSIENT;
    return err_hint(
        err, "this process was silent for too long; run it again if the other one fails");
}

static enum rc begin_commit(struct loop *l, struct err *err)
{
    const struct mark *marks = NULL;
    l->last_commit = mono(l);
    enum rc rc = hand_over(l, err);
    if (rc != RC_OK)
        return rc;
    size_t n = marks_view(&l->flying, &marks);
    if (n == 0)
        return RC_OK;
    l->committing = true;
    rc = l->w->sink->ops->commit(l->w->sink, marks, n, err);
    if (rc == RC_OK)
        committed(l);
    return lost(l, rc, err);
}

static enum rc move_commit(struct loop *l, struct err *err)
{
    enum rc rc = step_commit(l, err);
    return rc == RC_OK ? RC_OK : lost(l, rc, err);
}

static enum rc wait(struct loop *l, struct err *err)
{
    struct pollfd fds[MAX_FDS];
    size_t n = l->committing ? l->w->sink->ops->fds(l->w->sink, fds, MAX_FDS) : 0;
    int64_t before = mono(l);
    enum rc rc = l->w->reader->ops->wait(l->w->reader, fds, n, WAIT_MS, err);
    atomic_fetch_add(&l->w->progress->idle_us, (uint64_t)(mono(l) - before));
    return rc;
}

/* No room for more pages: a reader that has some does not wait, the sink must be waited for. */
static enum rc wait_sink(struct loop *l, struct err *err)
{
    struct pollfd fds[MAX_FDS];
    enum rc rc = wait(l, err);
    int64_t before = mono(l);
    size_t n = rc == RC_OK ? l->w->sink->ops->fds(l->w->sink, fds, MAX_FDS) : 0;
    if (rc == RC_OK)
        (void)poll(fds, (nfds_t)n, SINK_MS);
    atomic_fetch_add(&l->w->progress->idle_us, (uint64_t)(mono(l) - before));
    return rc;
}

static enum rc finish_commit(struct loop *l, struct err *err)
{
    enum rc rc = move_commit(l, err);
    while (rc == RC_OK && l->committing) {
        rc = wait_sink(l, err);
        if (rc == RC_OK)
            rc = move_commit(l, err);
    }
    return rc;
}

static enum rc maybe_commit(struct loop *l, struct err *err)
{
    bool full = l->w->sink->ops->full(l->w->sink);
    enum rc rc = full ? finish_commit(l, err) : RC_OK;
    if (rc != RC_OK || l->committing)
        return rc;
    bool due = mono(l) - l->last_commit >= l->setup->commit_us;
    return full || due ? begin_commit(l, err) : RC_OK;
}

/* One turn of the loop: RC_OK, RC_END when all is read, or an error. */
static enum rc turn(struct loop *l, struct err *err)
{
    struct reader *r = l->w->reader;
    struct page *page = NULL;
    enum rc rc = start_segments(l, err);
    if (rc == RC_OK)
        rc = move_commit(l, err);
    if (rc != RC_OK)
        return rc;
    rc = r->ops->next(r, &page, err);
    if (rc == RC_OK) {
        rc = take_page(l, page, err);
        r->ops->give_back(r, page);
        return rc == RC_OK ? maybe_commit(l, err) : lost(l, rc, err);
    }
    if (rc == RC_END && l->no_more)
        return RC_END;
    if (rc == RC_AGAIN || rc == RC_END) {
        rc = maybe_commit(l, err);
        return rc == RC_OK ? wait(l, err) : rc;
    }
    return rc;
}

/* Reads until the end, and commits. */
static enum rc read_on(struct loop *l, struct err *err)
{
    enum rc rc = RC_OK;
    while (rc == RC_OK && !must_stop(l))
        rc = turn(l, err);
    if (rc == RC_END)
        rc = RC_OK;
    if (rc == RC_OK)
        rc = finish_commit(l, err);
    if (rc == RC_OK && !atomic_load(&l->w->shared->wrong))
        rc = begin_commit(l, err);
    if (rc == RC_OK)
        rc = finish_commit(l, err);
    return rc;
}

static enum rc work(struct loop *l, struct err *err)
{
    enum rc rc;
    do {
        rc = read_on(l, err);
    } while (rc == RC_OK && l->nagain && !must_stop(l));
    return rc;
}

void *worker_main(void *arg)
{
    struct worker *w = arg;
    const struct run_setup *setup = w->shared->setup;
    struct err err = {0};
    struct loop l = {
        .w = w, .setup = setup, .ncounters = schema_counters(&setup->plan->schema)};
    marks_init(&l.marks, (uint32_t)l.ncounters);
    marks_init(&l.flying, (uint32_t)l.ncounters);
    l.last_commit = mono(&l);
    int64_t start = l.last_commit;
    l.pass =
        pass_new(setup->plan, &(struct pass_options){.now_us = w->shared->state->now_us,
                                                     .mask_key = setup->mask_key,
                                                     .keyless = setup->sink->keyless,
                                                     .keep_nulls = setup->sink->keep_nulls});
    enum rc rc = l.pass ? work(&l, &err) : err_nomem(&err);
    if (rc != RC_OK)
        run_fail(w->shared, &err);
    atomic_fetch_add(&w->progress->busy_us, (uint64_t)(mono(&l) - start));
    pass_free(l.pass);
    marks_release(&l.marks);
    marks_release(&l.flying);
    free(l.again);
    return NULL;
}
