/* SPDX-License-Identifier: MIT */
/*
 * The lanes of one worker on one event loop. A lane whose page waits asks for nothing: that is
 * the back-pressure. Lanes are served in turn, so that a small budget starves none of them.
 */
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/table/scan_lane.h"

static struct scan_reader *self(struct reader *r)
{
    return (struct scan_reader *)(void *)r;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void send_due(struct scan_reader *r)
{
    int64_t now = scan_mono(r->scan);
    bool more = true;
    uint32_t first = r->turn;
    r->send_us = INT64_MAX;
    for (uint32_t k = 0; k < r->n && more; k++) {
        struct lane *l = &r->lanes[(first + k) % r->n];
        if (l->state != LANE_DUE)
            continue;
        more = scan_lane_send(l, now);
        if (l->state == LANE_FLYING)
            r->turn = (first + k + 1) % r->n;
    }
}

/* ---- the reader's operations --------------------------------------------------------------- */

static enum rc start(struct reader *base, uint32_t segment, struct str resume, struct err *err)
{
    struct scan_reader *r = self(base);
    struct lane *l = r->lanes;
    while (l < r->lanes + r->n && l->state != LANE_FREE)
        l++;
    if (l == r->lanes + r->n)
        return err_set(err, RC_USAGE, "more than %u segments started at once", r->n);
    l->segment = segment;
    l->sequence = 0;
    l->due_us = 0;
    l->repeat = false;
    l->request.retry = (struct retry_op){0};
    buf_clear(&l->start_key);
    buf_add_str(&l->start_key, resume);
    l->state = LANE_DUE;
    r->started++;
    enum rc rc = buf_check(&l->start_key, err);
    return rc ? rc : scan_circle_start(&l->circle, resume, err);
}

static void skip(struct reader *base, uint32_t segment)
{
    (void)base, (void)segment;
}

static enum rc next(struct reader *base, struct page **page, struct err *err)
{
    struct scan_reader *r = self(base);
    send_due(r);
    enum rc rc = http_poll(r->loop, NULL, 0, 0, err);
    if (!rc && r->failed.rc) {
        *err = r->failed;
        rc = err->rc;
    }
    if (rc)
        return rc;
    struct lane *l = r->ready;
    if (!l)
        return r->started ? RC_AGAIN : RC_END;
    r->ready = l->next_ready;
    if (!r->ready)
        r->ready_end = &r->ready;
    l->state = LANE_LENT;
    l->page.part = &r->scan->part;
    *page = &l->page;
    return RC_OK;
}

static void give_back(struct reader *base, struct page *page)
{
    struct scan_reader *r = self(base);
    struct lane *l = (struct lane *)(void *)page;
    struct buf body = page->raw;
    page->raw = l->request.http.body;
    l->request.http.body = body;
    if (l->state != LANE_LENT)
        return; /* stopped meanwhile */
    if (page->last) {
        l->state = LANE_FREE;
        r->started--;
        return;
    }
    buf_clear(&l->start_key);
    buf_add_str(&l->start_key, buf_view(&page->resume));
    l->state = LANE_DUE;
    l->due_us = 0;
    l->repeat = false;
}

static enum rc wait(struct reader *base, struct pollfd *extra, size_t nextra, int timeout_ms,
                    struct err *err)
{
    struct scan_reader *r = self(base);
    send_due(r);
    int64_t ms = timeout_ms;
    if (r->send_us != INT64_MAX) {
        int64_t left = r->send_us - scan_mono(r->scan);
        ms = smaller(ms, left > 0 ? (left + 999) / 1000 : 0);
    }
    return http_poll(r->loop, extra, nextra, ms, err);
}

static void wake(struct reader *base)
{
    http_wakeup(self(base)->loop);
}

static void take_from_ready(struct scan_reader *r, struct lane *l)
{
    struct lane **at = &r->ready;
    while (*at && *at != l)
        at = &(*at)->next_ready;
    if (*at)
        *at = l->next_ready;
    r->ready_end = &r->ready;
    while (*r->ready_end)
        r->ready_end = &(*r->ready_end)->next_ready;
}

static void stop(struct reader *base, uint32_t segment)
{
    struct scan_reader *r = self(base);
    for (struct lane *l = r->lanes; l < r->lanes + r->n; l++) {
        if (l->state == LANE_FREE || l->segment != segment)
            continue;
        if (l->state == LANE_READY)
            take_from_ready(r, l);
        scan_lane_stop(l);
        r->started--;
    }
}

static void free_reader(struct reader *base)
{
    struct scan_reader *r = self(base);
    for (struct lane *l = r->lanes; l && l < r->lanes + r->n; l++) {
        scan_lane_release(l);
    }
    http_loop_free(r->loop);
    free(r->lanes);
    free(r);
}

struct reader *scan_reader_new(struct scan *scan, struct err *err)
{
    static const struct reader_ops OPS = {.start = start,
                                          .skip = skip,
                                          .next = next,
                                          .give_back = give_back,
                                          .wait = wait,
                                          .wake = wake,
                                          .stop = stop,
                                          .free = free_reader};
    struct scan_reader *r = memory_new(sizeof *r, err);
    if (!r)
        return NULL;
    r->base.ops = &OPS;
    r->scan = scan;
    r->ready_end = &r->ready;
    r->lanes = calloc(scan->base.ahead, sizeof *r->lanes);
    enum rc rc = r->lanes ? http_loop_new(&r->loop, &scan->ddb.http, err) : err_nomem(err);
    if (rc) {
        free(r->lanes);
        free(r);
        return NULL;
    }
    r->n = scan->base.ahead;
    for (uint32_t i = 0; i < r->n; i++)
        scan_lane_init(&r->lanes[i], r);
    return &r->base;
}

struct http_loop *scan_reader_loop(struct reader *r)
{
    return self(r)->loop;
}

bool scan_reader_late(struct reader *base, uint32_t segment)
{
    const struct scan_reader *r = self(base);
    bool late = false;
    for (const struct lane *l = r->lanes; l < r->lanes + r->n && !late; l++) {
        late = l->state != LANE_FREE && l->segment == segment && l->repeat &&
               l->request.failure.key_range;
    }
    return late;
}
