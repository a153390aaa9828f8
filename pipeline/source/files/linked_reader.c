/* SPDX-License-Identifier: MIT */
/*
 * Lanes are asked in turn for a page, and the transfers of all move on meanwhile: what a lane has
 * waiting is bounded by its window. Where there are few segments a reader takes no more than its
 * share, so that the others have work too.
 */
#include "pipeline/source/files/linked_reader.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/files/file_lane.h"

enum { PAGES = 4 };

struct linked_reader {
    struct reader base;
    struct files *files;
    struct origin_link *link;
    struct page pages[PAGES];
    bool out[PAGES]; /* lent to the worker */
    uint32_t n, busy, turn;
    struct file_lane lanes[];
};

static struct linked_reader *of(struct reader *r)
{
    return (struct linked_reader *)(void *)r;
}

static uint32_t share(const struct files *f, uint32_t most)
{
    uint32_t n = f->base.segments / f->readers + (f->base.segments % f->readers != 0);
    return n < most ? n : most;
}

enum rc linked_reader_take(struct files *f, struct reader *r, uint32_t *segment,
                           struct err *err)
{
    (void)err;
    const struct linked_reader *lr = of(r);
    enum rc rc = RC_END;
    (void)pthread_mutex_lock(&f->mu);
    if (f->next < f->base.segments)
        rc = lr->busy < share(f, lr->n) ? RC_OK : RC_AGAIN;
    if (!rc)
        *segment = f->next++;
    (void)pthread_mutex_unlock(&f->mu);
    return rc;
}

static enum rc start(struct reader *r, uint32_t segment, struct str resume, struct err *err)
{
    struct linked_reader *lr = of(r);
    for (uint32_t i = 0; i < lr->n; i++) {
        if (lr->lanes[i].state != FILE_LANE_IDLE)
            continue;
        lr->busy++;
        return file_lane_start(&lr->lanes[i], segment, resume, err);
    }
    return err_set(err, RC_USAGE, "more than %u segments started at once", lr->n);
}

/* It was done before: for progress it is behind us. */
static void skip(struct reader *r, uint32_t segment)
{
    struct files *f = of(r)->files;
    atomic_fetch_add(&f->passed, files_bytes(f, segment));
}

static enum rc next_of_lanes(struct linked_reader *lr, struct page *page, struct err *err)
{
    enum rc rc = RC_AGAIN;
    for (uint32_t i = 0; i < lr->n && rc == RC_AGAIN; i++) {
        struct file_lane *l = &lr->lanes[(lr->turn + i) % lr->n];
        if (l->state == FILE_LANE_IDLE)
            continue;
        page_clear(page);
        rc = file_lane_next(l, page, err);
        if (rc == RC_AGAIN)
            continue;
        lr->turn = (lr->turn + i + 1) % lr->n;
        lr->busy -= !rc && l->state == FILE_LANE_IDLE;
    }
    return rc;
}

static enum rc next(struct reader *r, struct page **page, struct err *err)
{
    struct linked_reader *lr = of(r);
    size_t i = 0;
    if (!lr->busy)
        return RC_END;
    enum rc rc = lr->link->ops->wait(lr->link, NULL, 0, 0, err);
    while (i < PAGES && lr->out[i])
        i++;
    if (rc || i == PAGES)
        return rc ? rc : RC_AGAIN;
    rc = next_of_lanes(lr, &lr->pages[i], err);
    lr->out[i] = !rc;
    *page = &lr->pages[i];
    return rc;
}

static void give_back(struct reader *r, struct page *page)
{
    struct linked_reader *lr = of(r);
    lr->out[page - lr->pages] = false;
}

static enum rc wait_link(struct reader *r, struct pollfd *extra, size_t nextra, int timeout_ms,
                         struct err *err)
{
    struct origin_link *l = of(r)->link;
    return l->ops->wait(l, extra, nextra, timeout_ms, err);
}

static void wake(struct reader *r)
{
    struct origin_link *l = of(r)->link;
    l->ops->wake(l);
}

static void stop(struct reader *r, uint32_t segment)
{
    struct linked_reader *lr = of(r);
    for (uint32_t i = 0; i < lr->n; i++) {
        struct file_lane *l = &lr->lanes[i];
        if (l->state == FILE_LANE_IDLE || l->segment != segment)
            continue;
        file_lane_end(l);
        lr->busy--;
    }
}

static void free_reader(struct reader *r)
{
    struct linked_reader *lr = of(r);
    for (uint32_t i = 0; i < lr->n; i++)
        file_lane_release(&lr->lanes[i]);
    for (size_t i = 0; i < PAGES; i++)
        page_release(&lr->pages[i]);
    if (lr->link)
        lr->link->ops->free(lr->link);
    free(lr);
}

struct reader *linked_reader_new(struct files *files, struct err *err)
{
    static const struct reader_ops OPS = {.start = start,
                                          .skip = skip,
                                          .next = next,
                                          .give_back = give_back,
                                          .wait = wait_link,
                                          .wake = wake,
                                          .stop = stop,
                                          .free = free_reader};
    const struct origin *origin = files->inputs.origin;
    uint32_t n = files->base.ahead;
    struct linked_reader *lr = memory_new(sizeof *lr + n * sizeof lr->lanes[0], err);
    if (!lr)
        return NULL;
    lr->base.ops = &OPS;
    lr->files = files;
    for (size_t i = 0; i < PAGES; i++)
        page_init(&lr->pages[i], limits_page_max(&files->limits));
    lr->link = origin->ops->link(origin, err);
    if (!lr->link) {
        free_reader(&lr->base);
        return NULL;
    }
    for (; lr->n < n; lr->n++)
        file_lane_init(&lr->lanes[lr->n], files, &lr->link->base);
    files->readers++;
    return &lr->base;
}
