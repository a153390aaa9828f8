/* SPDX-License-Identifier: MIT */
/*
 * A worker of a backfill: the engine hands it pages and lets it move; it judges them, feeds its
 * writer and lets that move. Writes go out on the reader's own event loop; the journal's descriptor
 * is among those that the engine waits for.
 */
#include <stdlib.h>

#include "sinks/dynamodb/fill/fill_page.h"

enum { MAX_TEXT = 64 << 20 };

static struct fill_worker *worker_of(struct task_worker *base)
{
    return (struct fill_worker *)(void *)base;
}

/* ---- making and closing -------------------------------------------------------------------- */

static enum rc make_works(struct fill_worker *w, struct err *err)
{
    uint32_t n = w->fill->setup->source->ahead;
    w->nworks = n ? n : 1;
    w->works = calloc(w->nworks, sizeof *w->works);
    w->turns.v = calloc(w->nworks, sizeof *w->turns.v);
    w->turns.n = w->nworks;
    if (!w->works || !w->turns.v)
        return err_nomem(err);
    bool ok = true;
    for (uint32_t i = 0; i < w->nworks; i++) {
        struct fill_work *k = &w->works[i];
        arena_init(&k->arena, 65536);
        buf_init(&k->listed, MAX_TEXT);
        k->counts = fate_counts_page(&w->fill->counts);
        ok = ok && k->counts;
    }
    return ok ? RC_OK : err_nomem(err);
}

static void close_worker(struct task_worker *base)
{
    struct fill_worker *w = worker_of(base);
    journaled_writer_close(&w->side);
    for (uint32_t i = 0; w->works && i < w->nworks; i++) {
        struct fill_work *k = &w->works[i];
        if (k->page)
            base->reader->ops->give_back(base->reader, k->page);
        arena_release(&k->arena);
        buf_release(&k->listed);
        free(k->counts);
    }
    free(w->works);
    free(w->turns.v);
    apply_recipe_release(&w->recipe);
    free(w);
}

/* ---- pages --------------------------------------------------------------------------------- */

static uint64_t useless(const struct fill_worker *w)
{
    const struct fill_progress *p = &w->fill->counts.progress[w->index];
    return atomic_load(&p->fates[FATE_FAILED]) + atomic_load(&p->fates[FATE_UNROUTED]);
}

static enum rc take_page(struct task_worker *base, struct page *page, struct err *err)
{
    struct fill_worker *w = worker_of(base);
    size_t items = page->nextents;
    uint64_t bad = useless(w);
    enum rc rc = fill_page_begin(w, page, err);
    if (rc && rc != RC_AGAIN)
        return rc;
    enum rc fits = model_fit_page(&w->fill->fit, items, useless(w) - bad, err);
    if (fits)
        fill_page_drop(w, page);
    return fits ? fits : rc;
}

/* ---- what is under way --------------------------------------------------------------------- */

/* A page is kept until its jobs are done, so there are none left when the writer has none. */
static enum rc step(struct task_worker *base, enum task_phase phase, enum task_state *state,
                    struct err *err)
{
    struct fill_worker *w = worker_of(base);
    if (!journaled_writer_stops(phase))
        fill_feed(w);
    return journaled_writer_step(&w->side, phase, false, state, err);
}

static size_t fds(struct task_worker *base, struct pollfd *fds, size_t cap)
{
    return journaled_writer_fds(&worker_of(base)->side, fds, cap);
}

static int64_t due_us(const struct task_worker *base)
{
    return writer_due(((const struct fill_worker *)(const void *)base)->side.writer);
}

static const struct task_worker_ops OPS = {
    .page = take_page, .step = step, .fds = fds, .due_us = due_us, .close = close_worker};

struct task_worker *fill_worker_new(struct task *task, struct reader *reader, uint32_t index,
                                    struct err *err)
{
    struct fill_worker *w = task_worker_new(sizeof *w, &OPS, err);
    if (!w)
        return NULL;
    w->fill = (struct fill_task *)(void *)task;
    w->index = index;
    struct journaled_writer_config side = {.setup = w->fill->setup,
                                           .shared = &w->fill->write,
                                           .reader = reader,
                                           .index = index,
                                           .ops = &fill_page_ops,
                                           .ctx = w};
    enum rc rc = apply_recipe_init(&w->recipe, w->fill->setup, err);
    if (!rc)
        rc = make_works(w, err);
    if (!rc)
        rc = journaled_writer_open(&w->side, &side, err);
    if (!rc)
        return &w->base;
    close_worker(&w->base);
    return NULL;
}
