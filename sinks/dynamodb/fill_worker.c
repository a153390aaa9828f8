/* SPDX-License-Identifier: MIT */
/*
 * The loop of a worker: keep segments started, take pages, let the writer move, wait. Writes go
 * out on the reader's own event loop; the journal's descriptor is among those it waits for.
 */
#include "sinks/dynamodb/fill_worker.h"

#include <stdlib.h>

#include "pipeline/item/decode.h"
#include "pipeline/source/scan.h"
#include "sinks/dynamodb/fill_page.h"

enum { WAIT_MS = 200, MAX_TRIES = 5, MAX_TEXT = 64 << 20, FIRST_ITEMS = 10000 };

void fill_fail(struct fill_shared *shared, const struct err *err)
{
    (void)pthread_mutex_lock(&shared->mu);
    if (shared->first.rc == RC_OK)
        shared->first = *err;
    (void)pthread_mutex_unlock(&shared->mu);
    atomic_store(&shared->halt, true);
}

static enum rc make_works(struct fill_worker *w, struct err *err)
{
    uint32_t n = w->shared->setup->source->ahead;
    w->nworks = n ? n : 1;
    w->works = calloc(w->nworks, sizeof *w->works);
    w->rota.v = calloc(w->nworks, sizeof *w->rota.v);
    w->rota.n = w->nworks;
    if (!w->works || !w->rota.v)
        return err_nomem(err);
    bool ok = true;
    for (uint32_t i = 0; i < w->nworks; i++) {
        struct fill_work *k = &w->works[i];
        arena_init(&k->arena, 65536);
        buf_init(&k->listed, MAX_TEXT);
        k->counts = calloc((size_t)w->shared->rows * FATES, sizeof *k->counts);
        ok = ok && k->counts;
    }
    return ok ? RC_OK : err_nomem(err);
}

static enum rc make_writer(struct fill_worker *w, struct err *err)
{
    const struct fill_setup *setup = w->shared->setup;
    enum rc rc = journal_open(setup->state, w->index, &w->journal, err);
    struct writer_config config = {.shared = &w->shared->write,
                                   .loop = scan_reader_loop(w->reader),
                                   .journal = w->journal,
                                   .in_flight = setup->in_flight,
                                   .max_tries = MAX_TRIES,
                                   .ops = &fill_page_ops,
                                   .ctx = w};
    return rc ? rc : writer_new(&config, &w->writer, err);
}

enum rc fill_worker_init(struct fill_worker *w, struct fill_shared *shared,
                         struct fill_progress *progress, uint32_t index, struct err *err)
{
    struct source *source = shared->setup->source;
    *w = (struct fill_worker){.shared = shared, .progress = progress, .index = index};
    arena_init(&w->scratch, 65536);
    buf_init(&w->text, MAX_TEXT);
    w->decoder = decoder_new();
    w->reader = w->decoder ? source->ops->reader(source, err) : NULL;
    if (!w->decoder)
        return err_nomem(err);
    if (!w->reader)
        return err->rc;
    enum rc rc = make_works(w, err);
    if (!rc && shared->setup->state)
        rc = make_writer(w, err);
    return rc;
}

void fill_worker_release(struct fill_worker *w)
{
    writer_free(w->writer);
    journal_close(w->journal);
    for (uint32_t i = 0; w->works && i < w->nworks; i++) {
        struct fill_work *k = &w->works[i];
        if (k->page)
            w->reader->ops->give_back(w->reader, k->page);
        arena_release(&k->arena);
        buf_release(&k->listed);
        free(k->counts);
    }
    free(w->works);
    free(w->rota.v);
    if (w->reader)
        w->reader->ops->free(w->reader);
    decoder_free(w->decoder);
    arena_release(&w->scratch);
    buf_release(&w->text);
}

/* ---- the loop ------------------------------------------------------------------------------ */

static bool must_stop(const struct fill_worker *w)
{
    const struct fill_shared *s = w->shared;
    return atomic_load(&s->halt) || atomic_load(&s->enough) || atomic_load(s->setup->stop);
}

/* RC_OK started or skipped one, RC_AGAIN none now, RC_END none left. */
static enum rc start_one(struct fill_worker *w, struct err *err)
{
    struct fill_shared *s = w->shared;
    struct source *source = s->setup->source;
    uint32_t segment = 0;
    enum rc rc = source->ops->take(source, w->reader, &segment, err);
    if (rc)
        return rc;
    const struct segment_state *was =
        s->standing.segments ? &s->standing.segments[segment] : NULL;
    if (was && was->done) {
        w->reader->ops->skip(w->reader, segment);
        return RC_OK;
    }
    rc = w->reader->ops->start(w->reader, segment, was ? was->resume : (struct str){0}, err);
    if (rc)
        return rc;
    w->open++;
    fill_work_open(w, segment);
    return RC_OK;
}

static enum rc start_segments(struct fill_worker *w, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && !w->no_more && w->open < w->nworks) {
        rc = start_one(w, err);
        if (rc == RC_END) {
            w->no_more = true;
            rc = RC_OK;
        }
    }
    return rc == RC_AGAIN ? RC_OK : rc;
}

static uint64_t useless(const struct fill_worker *w)
{
    return atomic_load(&w->progress->fates[FATE_FAILED]) +
           atomic_load(&w->progress->fates[FATE_UNROUTED]);
}

/* More than half of the first items are no use to this model: it is the wrong one. */
static enum rc judge_model(struct fill_worker *w, uint64_t items, uint64_t bad, struct err *err)
{
    struct fill_shared *s = w->shared;
    bad = atomic_fetch_add(&s->bad, bad) + bad;
    uint64_t seen = atomic_fetch_add(&s->seen, items) + items;
    if (seen < FIRST_ITEMS || atomic_exchange(&s->judged, true) || s->setup->tolerant ||
        bad * 2 <= seen)
        return RC_OK;
    (void)err_set(err, RC_SOURCE, "%llu of the first %llu items failed or matched no entity",
                  (unsigned long long)bad, (unsigned long long)seen);
    return err_hint(err, "this model does not fit this table: rehearse it with --dry-run; if "
                         "that is as it should be, say so with --max-unrouted");
}

static enum rc take_page(struct fill_worker *w, struct err *err)
{
    struct fill_shared *s = w->shared;
    struct page *page = NULL;
    enum rc rc = w->reader->ops->next(w->reader, &page, err);
    if (rc)
        return rc;
    uint64_t before = atomic_load(&w->progress->items), bad = useless(w);
    size_t items = page->nextents;
    rc = fill_page_begin(w, page, err);
    if (!rc && w->journal)
        rc = judge_model(w, items, useless(w) - bad, err);
    uint64_t n = atomic_load(&w->progress->items) - before;
    uint64_t read = atomic_fetch_add(&s->read, n) + n;
    if (s->setup->sample && read >= s->setup->sample)
        atomic_store(&s->enough, true);
    return rc;
}

static int timeout_ms(const struct fill_worker *w)
{
    if (!w->writer)
        return WAIT_MS;
    const struct env *env = w->shared->setup->env;
    int64_t due = writer_due(w->writer);
    if (due == INT64_MAX)
        return WAIT_MS;
    int64_t left = due - env->mono_us(env->ctx);
    int64_t ms = left > 0 ? (left + 999) / 1000 : 0;
    return ms < WAIT_MS ? (int)ms : WAIT_MS;
}

static enum rc wait(struct fill_worker *w, struct err *err)
{
    struct pollfd fd = {.events = POLLIN};
    bool busy = w->journal && journal_busy(w->journal);
    if (busy)
        fd.fd = journal_fd(w->journal);
    return w->reader->ops->wait(w->reader, &fd, busy, timeout_ms(w), err);
}

static enum rc step(struct fill_worker *w, bool stop, struct err *err)
{
    enum rc rc = w->writer ? writer_step(w->writer, stop, err) : RC_OK;
    if (!rc && w->err.rc) {
        *err = w->err;
        rc = err->rc;
    }
    return rc;
}

/* One turn: RC_OK, RC_END when all is read and written, or an error. */
static enum rc turn(struct fill_worker *w, struct err *err)
{
    enum rc rc = start_segments(w, err);
    if (!rc)
        rc = take_page(w, err);
    bool page = rc == RC_OK;
    bool ended = rc == RC_END && w->no_more && w->open == 0;
    if (rc == RC_AGAIN || rc == RC_END)
        rc = RC_OK;
    if (!rc)
        rc = step(w, false, err);
    if (rc || page)
        return rc;
    if (ended && (!w->writer || writer_pending(w->writer) == 0))
        return RC_END;
    return wait(w, err);
}

/* What is in flight comes to its end; nothing new is sent. */
static enum rc wind_up(struct fill_worker *w, struct err *err)
{
    enum rc rc = step(w, true, err);
    while (!rc && w->writer && writer_pending(w->writer) > 0) {
        rc = wait(w, err);
        if (!rc)
            rc = step(w, true, err);
    }
    return rc;
}

void *fill_worker_main(void *arg)
{
    struct fill_worker *w = arg;
    struct err err = {0};
    enum rc rc = RC_OK;
    while (!rc && !must_stop(w))
        rc = turn(w, &err);
    if (rc == RC_END)
        rc = RC_OK;
    if (rc)
        fill_fail(w->shared, &err);
    struct err late = {0};
    enum rc last = wind_up(w, &late);
    if (!last && w->journal)
        last = journal_flush(w->journal, &late);
    if (last)
        fill_fail(w->shared, &late);
    return NULL;
}
