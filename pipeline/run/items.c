/* SPDX-License-Identifier: MIT */
/* A task of the engine with one worker, which has one segment at a time. */
#include "pipeline/run/items.h"

#include "pipeline/run/engine.h"

struct walk {
    struct task base; /* first */
    items_each *each;
    void *ctx;
};

struct walker {
    struct task_worker base; /* first */
    const struct walk *walk;
};

static enum rc walk_page(struct task_worker *base, struct page *page, struct err *err)
{
    const struct walk *w = ((const struct walker *)base)->walk;
    size_t at = 0;
    struct walked_item item = {.part = page->part};
    enum rc rc = RC_OK;
    while (!rc && page_next(page, &at, &item.raw, &item.fault))
        rc = w->each(w->ctx, &item, err);
    return rc;
}

static struct task_worker *walker_new(struct task *task, struct reader *reader, uint32_t index,
                                      struct err *err)
{
    static const struct task_worker_ops OPS = {.page = walk_page};
    struct walker *w = task_worker_new(sizeof *w, &OPS, err);
    (void)reader;
    (void)index;
    if (!w)
        return NULL;
    w->walk = (const struct walk *)task;
    return &w->base;
}

enum rc items_walk(struct source *source, items_each *each, void *ctx, struct err *err)
{
    static const struct task_ops OPS = {.worker = walker_new};
    struct walk walk = {.base = {.ops = &OPS}, .each = each, .ctx = ctx};
    struct engine_config config = {
        .source = source, .workers = 1, .ahead = 1, .env = &env_real};
    return engine_run(&walk.base, &config, err);
}
