/* SPDX-License-Identifier: MIT */
/*
 * A reader of each source, asked in turn. Each table has an event loop of its own: while several are read
 * the wait goes round among them in short slices, and what came for the others is seen by the next round.
 */
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/several/several_private.h"

enum { SLICE_MS = 5 };

struct several_reader {
    struct reader base; /* first */
    struct several *s;
    struct reader **v;
    uint32_t *open;     /* by source: segments started and not done */
    uint32_t *segments; /* those of all, numbered as the run knows them */
    size_t nsegments, cap;
    size_t turn, takes, waits;
};

static struct several_reader *self(struct reader *r)
{
    return (struct several_reader *)(void *)r;
}

enum rc several_reader_take(struct reader *base, uint32_t *segment, struct err *err)
{
    struct several_reader *r = self(base);
    bool again = false;
    for (size_t k = 0; k < r->s->n; k++) {
        size_t i = (r->takes + k) % r->s->n;
        struct source *source = r->s->v[i];
        if (r->open[i] && r->open[i] >= source->ahead) {
            again = true;
            continue;
        }
        enum rc rc = source->ops->take(source, r->v[i], segment, err);
        if (!rc) {
            *segment = several_segment(r->s, i, *segment);
            r->takes = i + 1;
        }
        if (rc != RC_END && rc != RC_AGAIN)
            return rc;
        again = again || rc == RC_AGAIN;
    }
    return again ? RC_AGAIN : RC_END;
}

static enum rc start(struct reader *base, uint32_t segment, struct str resume, struct err *err)
{
    struct several_reader *r = self(base);
    uint32_t own = 0;
    size_t i = several_find(r->s, segment, &own);
    uint32_t *v = memory_push(r->segments, r->nsegments, &r->cap, 8, sizeof *v);
    if (!v)
        return err_nomem(err);
    r->segments = v;
    v[r->nsegments++] = segment;
    r->open[i]++;
    return r->v[i]->ops->start(r->v[i], own, resume, err);
}

static void skip(struct reader *base, uint32_t segment)
{
    struct several_reader *r = self(base);
    uint32_t own = 0;
    size_t i = several_find(r->s, segment, &own);
    r->v[i]->ops->skip(r->v[i], own);
}

/* Nothing more comes of the segment. */
static void forget(struct several_reader *r, uint32_t segment)
{
    uint32_t own = 0;
    for (size_t k = 0; k < r->nsegments; k++) {
        if (r->segments[k] != segment)
            continue;
        r->segments[k] = r->segments[--r->nsegments];
        r->open[several_find(r->s, segment, &own)]--;
        return;
    }
}

static enum rc next(struct reader *base, struct page **page, struct err *err)
{
    struct several_reader *r = self(base);
    bool again = false;
    for (size_t k = 0; k < r->s->n; k++) {
        size_t i = (r->turn + k) % r->s->n;
        enum rc rc = r->open[i] ? r->v[i]->ops->next(r->v[i], page, err) : RC_END;
        if (!rc) {
            (*page)->segment = several_segment(r->s, i, (*page)->segment);
            r->turn = i + 1;
        }
        if (rc != RC_END && rc != RC_AGAIN)
            return rc;
        again = again || rc == RC_AGAIN;
    }
    return again ? RC_AGAIN : RC_END;
}

static void give_back(struct reader *base, struct page *page)
{
    struct several_reader *r = self(base);
    uint32_t own = 0;
    size_t i = several_find(r->s, page->segment, &own);
    if (page->last)
        forget(r, page->segment);
    page->segment = own;
    r->v[i]->ops->give_back(r->v[i], page);
}

static enum rc wait(struct reader *base, struct pollfd *extra, size_t nextra, int timeout_ms,
                    struct err *err)
{
    struct several_reader *r = self(base);
    size_t busy = 0, i = r->waits++ % r->s->n;
    for (size_t k = 0; k < r->s->n; k++)
        busy += r->open[k] > 0;
    while (busy && !r->open[i])
        i = r->waits++ % r->s->n;
    int ms = busy > 1 && timeout_ms > SLICE_MS ? SLICE_MS : timeout_ms;
    return r->v[i]->ops->wait(r->v[i], extra, nextra, ms, err);
}

static void wake(struct reader *base)
{
    struct several_reader *r = self(base);
    for (size_t i = 0; i < r->s->n; i++)
        r->v[i]->ops->wake(r->v[i]);
}

static void stop(struct reader *base, uint32_t segment)
{
    struct several_reader *r = self(base);
    uint32_t own = 0;
    size_t i = several_find(r->s, segment, &own);
    forget(r, segment);
    r->v[i]->ops->stop(r->v[i], own);
}

static void reader_free(struct reader *base)
{
    struct several_reader *r = self(base);
    for (size_t i = 0; r->v && i < r->s->n; i++) {
        if (r->v[i])
            r->v[i]->ops->free(r->v[i]);
    }
    free(r->v);
    free(r->open);
    free(r->segments);
    free(r);
}

struct reader *several_reader_new(struct several *s, struct err *err)
{
    static const struct reader_ops OPS = {.start = start,
                                          .skip = skip,
                                          .next = next,
                                          .give_back = give_back,
                                          .wait = wait,
                                          .wake = wake,
                                          .stop = stop,
                                          .free = reader_free};
    struct several_reader *r = memory_new(sizeof *r, err);
    if (!r)
        return NULL;
    r->base.ops = &OPS;
    r->s = s;
    r->v = calloc(s->n + 1, sizeof *r->v); /* NOLINT(bugprone-sizeof-expression) */
    r->open = calloc(s->n + 1, sizeof *r->open);
    bool ok = r->v && r->open;
    if (!ok)
        (void)err_nomem(err);
    for (size_t i = 0; ok && i < s->n; i++) {
        r->v[i] = s->v[i]->ops->reader(s->v[i], err);
        ok = r->v[i] != NULL;
    }
    if (ok)
        return &r->base;
    reader_free(&r->base);
    return NULL;
}
