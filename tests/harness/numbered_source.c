/* SPDX-License-Identifier: MIT */
#include "tests/harness/numbered_source.h"

#include <stdlib.h>

struct lane {
    struct page page; /* first */
    bool started, lent;
    uint64_t at;
};

struct numbers_reader {
    struct reader base;
    struct numbered_source *s;
    struct lane lanes[NUMBERED_LANES];
    unsigned turn;
};

static enum rc numbers_take(struct source *base, struct reader *r, uint32_t *segment,
                            struct err *err)
{
    struct numbered_source *s = (struct numbered_source *)base;
    (void)r;
    (void)err;
    *segment = atomic_fetch_add(&s->next, 1);
    return *segment < NUMBERED_SEGMENTS ? RC_OK : RC_END;
}

static enum rc numbers_tick(struct source *base, struct err *err)
{
    struct numbered_source *s = (struct numbered_source *)base;
    unsigned n = atomic_fetch_add(&s->ticks, 1) + 1;
    return n == s->fail_tick ? err_set(err, RC_SOURCE, "another table") : RC_OK;
}

static enum rc reader_start(struct reader *base, uint32_t segment, struct str resume,
                            struct err *err)
{
    struct numbers_reader *r = (struct numbers_reader *)base;
    for (unsigned i = 0; i < NUMBERED_LANES; i++) {
        struct lane *l = &r->lanes[i];
        if (l->started)
            continue;
        l->started = true;
        l->page.segment = segment;
        l->at = resume.n;
        return RC_OK;
    }
    return err_set(err, RC_USAGE, "too many segments");
}

static void reader_skip(struct reader *base, uint32_t segment)
{
    (void)base;
    (void)segment;
}

static enum rc reader_next(struct reader *base, struct page **page, struct err *err)
{
    struct numbers_reader *r = (struct numbers_reader *)base;
    bool any = false;
    (void)err;
    for (unsigned i = 0; i < NUMBERED_LANES; i++) {
        struct lane *l = &r->lanes[r->turn++ % NUMBERED_LANES];
        any = any || l->started;
        if (!l->started || l->lent)
            continue;
        l->lent = true;
        l->page.sequence = l->at++;
        l->page.last = l->at == NUMBERED_PAGES;
        *page = &l->page;
        return RC_OK;
    }
    return any ? RC_AGAIN : RC_END;
}

static void reader_give_back(struct reader *base, struct page *page)
{
    struct lane *l = (struct lane *)(void *)page;
    (void)base;
    l->lent = false;
    l->started = l->started && !page->last;
}

static enum rc reader_wait(struct reader *base, struct pollfd *extra, size_t n, int timeout_ms,
                           struct err *err)
{
    (void)base;
    (void)err;
    (void)poll(extra, (nfds_t)n, timeout_ms ? 1 : 0);
    return RC_OK;
}

static void reader_wake(struct reader *base)
{
    atomic_fetch_add(&((struct numbers_reader *)base)->s->wakes, 1);
}

static void reader_stop(struct reader *base, uint32_t segment)
{
    struct numbers_reader *r = (struct numbers_reader *)base;
    for (unsigned i = 0; i < NUMBERED_LANES; i++)
        r->lanes[i].started = r->lanes[i].started && r->lanes[i].page.segment != segment;
}

static void reader_free(struct reader *base)
{
    struct numbers_reader *r = (struct numbers_reader *)base;
    atomic_fetch_sub(&r->s->readers, 1);
    free(r);
}

static const struct reader_ops READER_OPS = {reader_start,     reader_skip, reader_next,
                                             reader_give_back, reader_wait, reader_wake,
                                             reader_stop,      reader_free};

static struct reader *numbers_reader(struct source *base, struct err *err)
{
    struct numbered_source *s = (struct numbered_source *)base;
    struct numbers_reader *r = calloc(1, sizeof *r);
    if (r) {
        *r = (struct numbers_reader){.base.ops = &READER_OPS, .s = s};
        atomic_fetch_add(&s->readers, 1);
        return &r->base;
    }
    (void)err_nomem(err);
    return NULL;
}

void numbered_source_init(struct numbered_source *s)
{
    static const struct source_ops OPS = {
        .take = numbers_take, .reader = numbers_reader, .tick = numbers_tick};
    s->base = (struct source){.ops = &OPS, .ahead = NUMBERED_LANES};
}
