/* SPDX-License-Identifier: MIT */
/*
 * One request after the other of one segment. The request's body becomes the page's bytes by a
 * swap and goes back by another, so a lane owns one buffer of the size of its largest page.
 * Nothing is sent before the budget has reserved its worst case; every attempt settles what it
 * cost, and one whose answer was lost all that it may have cost: what was seen so far says
 * nothing of the items behind it.
 */
#include "pipeline/source/table/scan_lane.h"

static const size_t MAX_PAGE = (size_t)64 << 20;
enum { HEAD = 200 }; /* bytes of an answer that a message shows */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The request itself was right, or the source would not have been opened: a re-run won't help. */
static void fail(struct lane *l, struct err *err)
{
    struct scan_reader *r = l->reader;
    l->state = LANE_FREE;
    if (r->failed.rc)
        return;
    if (err->rc == RC_USAGE)
        err->rc = RC_SOURCE;
    (void)err_context(err, "table \"%.*s\", segment %u of %u", STR_FMT(r->scan->opts.table),
                      l->segment, r->scan->base.segments);
    r->failed = *err;
}

/* ---- an attempt has ended ------------------------------------------------------------------ */

static void settle(struct lane *l, enum rc rc, const struct scan_answer *a, int64_t now)
{
    struct scan *s = l->reader->scan;
    const struct aws_failure *f = &l->request.failure;
    if (!rc) {
        int64_t units = a->units >= 0 ? a->units : scan_sizes_likely(&s->sizes, l->limit);
        budget_settle(&s->budget, &l->ticket, units, now);
        scan_sizes_add(&s->sizes, a->rest.scanned, units, l->request.http.body.len,
                       a->largest_item);
        l->page.bytes_in = scan_sizes_bytes(&s->sizes, units);
        return;
    }
    if (f->maybe_done) {
        budget_settle_unknown(&s->budget, &l->ticket, now);
    } else {
        budget_settle(&s->budget, &l->ticket, 0, now);
    }
    if (f->class == AWS_THROTTLE && !f->key_range)
        budget_throttled(&s->budget, now);
}

static void page_done(struct lane *l)
{
    struct scan_reader *r = l->reader;
    struct buf body = l->request.http.body;
    l->request.http.body = l->page.raw;
    l->page.raw = body;
    l->page.segment = l->segment;
    l->page.sequence = l->sequence++;
    l->state = LANE_READY;
    l->next_ready = NULL;
    *r->ready_end = l;
    r->ready_end = &l->next_ready;
}

static bool looks_good(const struct http_call *call)
{
    return call->result == HTTP_DONE && call->status == 200 && call->body.len > 0 &&
           call->body.p[0] == '{';
}

/* A key that leads nowhere is no damage that would heal: the same answer would come again. */
static enum rc follow(struct lane *l, const struct scan_answer *a, struct err *err)
{
    struct str key = a->rest.last_key, body = buf_view(&l->request.http.body);
    if (!key.n)
        return RC_OK;
    enum rc rc = scan_keys_check(&l->reader->scan->keys, key, err);
    bool circle = !rc;
    if (!rc)
        rc = scan_circle_step(&l->circle, key, err);
    if (rc != RC_SOURCE)
        return rc;
    (void)err_context(err, "the answer to Scan, \"%.*s...%.*s\"",
                      (int)smaller(HEAD, (int64_t)body.n), body.p,
                      (int)smaller(HEAD, (int64_t)key.n), key.p);
    if (circle)
        (void)err_hint(err, "items may have been read twice: begin anew with --restart");
    return rc;
}

static void answered(struct dynamodb_request *request, void *ctx)
{
    struct lane *l = ctx;
    struct scan *s = l->reader->scan;
    struct scan_answer a = {0};
    struct err err = {0};
    enum rc rc = RC_OK;
    int64_t now = scan_mono(s);
    page_clear(&l->page);
    if (looks_good(&request->http))
        rc = scan_answer_read(buf_view(&request->http.body), &l->page, &a, &err);
    rc = rc ? dynamodb_failed(&s->ddb, request, true, &l->due_us, &err)
            : dynamodb_finish(&s->ddb, request, &l->due_us, &err);
    settle(l, rc, &a, now);
    if (!rc)
        rc = follow(l, &a, &err);
    if (!rc) {
        page_done(l);
    } else if (rc == RC_AGAIN) {
        l->state = LANE_DUE;
        l->repeat = true;
    } else {
        fail(l, &err);
    }
}

/* ---- sending ------------------------------------------------------------------------------- */

static void write_request(struct lane *l)
{
    const struct scan *s = l->reader->scan;
    struct buf *b = &l->request.send;
    buf_clear(b);
    buf_putc(b, '{');
    buf_add_str(b, buf_view(&s->request));
    buf_addf(b, ",\"TotalSegments\":%u,\"Segment\":%u", s->base.segments, l->segment);
    if (l->limit)
        buf_addf(b, ",\"Limit\":%llu", (unsigned long long)l->limit);
    if (l->start_key.len) {
        buf_puts(b, ",\"ExclusiveStartKey\":");
        buf_add_str(b, buf_view(&l->start_key));
    }
    buf_putc(b, '}');
}

/* Credentials that cannot be had for the moment are a failed attempt too. */
static void send(struct lane *l, int64_t now)
{
    struct scan *s = l->reader->scan;
    struct err err = {0};
    write_request(l);
    enum rc rc = dynamodb_start(&s->ddb, l->reader->loop, &l->request, &err);
    if (!rc) {
        l->state = LANE_FLYING;
        return;
    }
    budget_settle(&s->budget, &l->ticket, 0, now);
    rc = dynamodb_failed(&s->ddb, &l->request, false, &l->due_us, &err);
    if (rc == RC_AGAIN) {
        l->repeat = true;
    } else {
        fail(l, &err);
    }
}

bool scan_lane_send(struct lane *l, int64_t now)
{
    struct scan_reader *r = l->reader;
    struct scan *s = r->scan;
    int64_t at = 0;
    if (l->repeat)
        l->due_us = retry_when(&s->ddb.retry, &l->request.retry);
    if (l->due_us > now) {
        r->send_us = smaller(r->send_us, l->due_us);
        return true;
    }
    int64_t rate = budget_stats(&s->budget, now).rate;
    l->limit = scan_sizes_limit(&s->sizes, rate);
    if (!budget_reserve(&s->budget, scan_sizes_worst(&s->sizes, l->limit), now, &l->ticket,
                        &at)) {
        r->send_us = smaller(r->send_us, at);
        return false;
    }
    send(l, now);
    return true;
}

void scan_lane_init(struct lane *l, struct scan_reader *r)
{
    l->reader = r;
    page_init(&l->page, MAX_PAGE);
    buf_init(&l->start_key, MAX_PAGE);
    scan_circle_init(&l->circle, MAX_PAGE);
    dynamodb_request_init(&l->request);
    l->request.op = "Scan";
    l->request.done = answered;
    l->request.ctx = l;
}

void scan_lane_stop(struct lane *l)
{
    struct scan *s = l->reader->scan;
    http_cancel(l->reader->loop, &l->request.http);
    budget_settle_unknown(&s->budget, &l->ticket, scan_mono(s));
    l->state = LANE_FREE;
}

void scan_lane_release(struct lane *l)
{
    scan_lane_stop(l);
    dynamodb_request_release(&l->request);
    page_release(&l->page);
    buf_release(&l->start_key);
    scan_circle_release(&l->circle);
}
