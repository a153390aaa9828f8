/* SPDX-License-Identifier: MIT */
/* The segments of a worker: a handful, so that looking through them costs nothing. */
#include "pipeline/run/task.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"

void *task_worker_new(size_t size, const struct task_worker_ops *ops, struct err *err)
{
    struct task_worker *w = calloc(1, size);
    if (w) {
        w->ops = ops;
    } else {
        (void)err_nomem(err);
    }
    return w;
}

static void drop(struct task_segments *s, uint32_t segment)
{
    size_t i = 0;
    while (i < s->n && s->v[i] != segment)
        i++;
    if (i < s->n)
        s->v[i] = s->v[--s->n];
}

enum rc task_segments_add(struct task_segments *s, uint32_t segment)
{
    uint32_t *v = memory_push(s->v, s->n, &s->cap, 16, sizeof *v);
    if (!v)
        return RC_NOMEM;
    s->v = v;
    s->v[s->n++] = segment;
    return RC_OK;
}

void task_page_done(struct task_worker *w, struct page *page)
{
    if (page->last)
        drop(&w->open, page->segment);
    w->reader->ops->give_back(w->reader, page);
}

enum rc task_go_back(struct task_worker *w, uint32_t segment)
{
    drop(&w->again, segment);
    if (task_segments_add(&w->again, segment))
        return RC_NOMEM;
    drop(&w->open, segment);
    w->reader->ops->stop(w->reader, segment);
    return RC_OK;
}
