/* SPDX-License-Identifier: MIT */
/* A pass that only looks: each item is judged, counted and shown to whoever asked. */
#include <stdlib.h>

#include "pipeline/run/engine.h"
#include "sinks/dynamodb/fill/apply_recipe.h"
#include "sinks/dynamodb/fill/fate_counts.h"
#include "sinks/dynamodb/fill/fill_private.h"
#include "sinks/dynamodb/fill/look.h"

struct look_task {
    struct task task; /* first */
    const struct fill_setup *setup;
    const struct look *look;
    struct fate_counts counts;
    atomic_uint_fast64_t judged; /* by all workers, for the sample */
    struct fill_result *out;
};

struct look_worker {
    struct task_worker base; /* first */
    struct look_task *task;
    uint32_t index;
    struct apply_recipe recipe;
    uint64_t *page; /* counts; owned */
};

/* ---- a worker ------------------------------------------------------------------------------ */

static void close_worker(struct task_worker *base)
{
    struct look_worker *w = (struct look_worker *)(void *)base;
    apply_recipe_release(&w->recipe);
    free(w->page);
    free(w);
}

static enum rc take_page(struct task_worker *base, struct page *page, struct err *err)
{
    struct look_worker *w = (struct look_worker *)(void *)base;
    struct look_task *t = w->task;
    struct recipe_applied item = {0};
    const char *fault = NULL;
    enum rc rc = RC_OK;
    size_t at = 0;
    uint64_t n = 0;
    fate_counts_clear(&t->counts, w->page);
    while (!rc && page_next(page, &at, &item.raw, &fault)) {
        rc = apply_recipe_item(&w->recipe, &item, err);
        if (rc)
            break;
        fate_counts_item(&t->counts, w->index, w->page, item.change.entity, item.change.fate);
        rc = t->look->item(t->look->ctx, w->index, &item.item, &item.change, err);
        n++;
    }
    if (rc)
        return rc;
    fate_counts_done(&t->counts, w->index, w->page, page);
    uint64_t all = atomic_fetch_add(&t->judged, n) + n;
    return t->look->sample && all >= t->look->sample ? RC_END : RC_OK;
}

static const struct task_worker_ops WORKER_OPS = {.page = take_page, .close = close_worker};

static struct task_worker *make_worker(struct task *task, struct reader *reader, uint32_t index,
                                       struct err *err)
{
    struct look_task *t = (struct look_task *)(void *)task;
    struct look_worker *w = task_worker_new(sizeof *w, &WORKER_OPS, err);
    (void)reader;
    if (!w)
        return NULL;
    w->task = t;
    w->index = index;
    enum rc rc = apply_recipe_init(&w->recipe, t->setup, err);
    w->page = fate_counts_page(&t->counts);
    if (!rc && !w->page)
        rc = err_nomem(err);
    if (!rc)
        return &w->base;
    close_worker(&w->base);
    return NULL;
}

/* ---- the pass ------------------------------------------------------------------------------ */

static void tick(struct task *task)
{
    const struct look_task *t = (struct look_task *)(void *)task;
    if (t->setup->tick) {
        t->setup->tick(t->setup->tick_ctx, t->counts.progress, t->counts.workers, t->setup);
    }
}

static enum rc conclude(struct task *task, enum rc rc, bool stopped, struct err *err)
{
    struct look_task *t = (struct look_task *)(void *)task;
    struct source *source = t->setup->source;
    struct err late = {0};
    if (t->counts.sums && fate_counts_result(&t->counts, NULL, source, t->out, &late) && !rc) {
        *err = late;
        rc = late.rc;
    }
    return fill_scanned(t->setup, rc, stopped, err);
}

static const struct task_ops OPS = {.worker = make_worker, .tick = tick, .conclude = conclude};

enum rc look_run(const struct fill_setup *setup, const struct look *look,
                 struct fill_result *out, struct err *err)
{
    struct look_task t = {.task.ops = &OPS, .setup = setup, .look = look, .out = out};
    struct engine_config config = {.source = setup->source,
                                   .workers = setup->workers,
                                   .stop = setup->stop,
                                   .env = setup->env};
    int64_t start = setup->env->mono_us(setup->env->ctx);
    *out = (struct fill_result){0};
    enum rc rc = fate_counts_init(&t.counts, setup, setup->workers, err);
    if (!rc)
        rc = engine_run(&t.task, &config, err);
    fate_counts_release(&t.counts);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    return rc;
}
