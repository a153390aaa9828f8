/* SPDX-License-Identifier: MIT */
/*
 * One request at a time. Who reads slices says before what will be read, and gets a little more,
 * for the line that crosses the end; who reads from the start gets all to the end in one
 * request. A read is answered when all that it wants is there, so that nobody copies the same
 * bytes again and again while they arrive.
 */
#include "pipeline/source/s3/s3_bytes.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/source/files/format/format.h"
#include "pipeline/source/s3/s3_origin.h"

enum {
    ROOM = 2 << 20,        /* of a window */
    BEYOND = 64 << 10,     /* what is got behind what was expected */
    FURTHER = 1 << 20,     /* what is got at least where nothing was */
    SHORT = 256 << 10,     /* what is let end rather than cut: a connection is dearer */
    PROGRESS = 64 << 10,   /* what makes a broken attempt a good one */
    PATIENCE_MS = 50,      /* how long one read waits, of those that wait */
    WINDOW_KEPT = 8 << 20, /* larger ones are given back */
};

static struct s3_bytes *of(struct bytes *b)
{
    return (struct s3_bytes *)(void *)b;
}

static uint64_t next_of(const struct s3_bytes *b)
{
    return b->from + b->window.len;
}

/* ---- the window ---------------------------------------------------------------------------- */

static void forget(struct s3_bytes *b)
{
    struct buf *w = &b->window;
    memmove(w->p, w->p + b->gone, w->len - b->gone);
    w->len -= b->gone;
    b->from += b->gone;
    b->gone = 0;
}

static bool add(struct s3_bytes *b, const char *p, size_t n)
{
    struct buf *w = &b->window;
    if (b->gone && (b->gone == w->len || w->cap - w->len < n))
        forget(b);
    buf_add(w, p, n);
    return !w->rc;
}

static void restart_window(struct s3_bytes *b, uint64_t at)
{
    if (b->window.cap > WINDOW_KEPT)
        buf_release(&b->window);
    buf_clear(&b->window);
    b->from = at;
    b->gone = 0;
    b->room = ROOM;
}

/* ---- an attempt ---------------------------------------------------------------------------- */

/* What was wrong with an attempt is tried again as if the service had failed. */
static void heal(struct s3_bytes *b, struct err *err)
{
    struct s3_request *r = &b->request;
    if (err->rc != RC_TRANSIENT && err->rc != RC_THROTTLE) {
        b->failed = *err;
        return;
    }
    r->failure = (struct aws_failure){
        .class = err->rc == RC_THROTTLE ? AWS_THROTTLE : AWS_TRANSIENT, .retry_after_ms = -1};
    (void)snprintf(r->failure.message, sizeof r->failure.message, "%.900s", err->msg);
    if (retry_failed(&b->link->s3->retry, &r->retry, &r->failure, r->op, &b->due_us, err)) {
        b->failed = *err;
    } else {
        b->state = S3_RESTING;
    }
}

static void send(struct s3_bytes *b)
{
    struct err err = {0};
    struct s3_request *r = &b->request;
    b->began = next_of(b);
    b->headed = b->drain = false;
    r->op = b->look ? "HeadObject" : "GetObject";
    r->method = b->look ? "HEAD" : "GET";
    r->key = b->object->key;
    r->from = b->began;
    r->to = b->look ? 0 : b->until;
    r->etag = b->object->known ? b->object->etag : STR("");
    b->state = S3_FLYING;
    if (!s3_start(b->link->s3, b->link->loop, r, &err))
        return;
    b->state = S3_IDLE;
    heal(b, &err);
}

static bool receive(struct s3_request *r, const char *p, size_t n, void *ctx)
{
    struct s3_bytes *b = ctx;
    const char *why = "more than was asked for";
    if (b->drain)
        return true;
    bool good = b->headed || s3_head_check(b, &why);
    if (good && n > b->until - next_of(b))
        good = false;
    if (!good) {
        http_refuse(&r->http, why);
        return false;
    }
    b->headed = true;
    if (b->window.len > b->gone && b->window.len - b->gone + n > b->room)
        return false;
    if (add(b, p, n))
        return true;
    http_refuse(&r->http, "out of memory");
    (void)err_nomem(&b->failed);
    return false;
}

/* The answer is whole; HEADs and empty objects have no bytes that anybody looked at. */
static void attempt_ended(struct s3_bytes *b)
{
    struct err err = {0};
    const char *why = "the answer ends early";
    bool good = b->headed || s3_head_check(b, &why);
    b->headed = good;
    if (b->look && !good)
        b->until = FORMAT_HEAD; /* it was written meanwhile */
    b->look = false;
    if (b->failed.rc || (good && next_of(b) >= b->until))
        return;
    (void)err_set(&err, RC_TRANSIENT, "%s", why);
    heal(b, &err);
}

/* Of a part that cannot be: the object is empty, or no longer as long. */
static bool settle_range(struct s3_bytes *b)
{
    long status = b->request.failure.status;
    if (status != 416 && status != 412)
        return false;
    err_clear(&b->failed);
    if (status == 412 || b->object->known) {
        s3_head_changed(b, STR(""));
    } else {
        b->look = true;
        b->until = 0;
        send(b);
    }
    return true;
}

static void done(struct s3_request *r, void *ctx)
{
    struct s3_bytes *b = ctx;
    struct s3 *s3 = b->link->s3;
    struct err err = {0};
    b->state = S3_IDLE;
    enum rc rc = s3_finish(s3, r, &b->due_us, &err);
    if (b->drain) {
        send(b);
    } else if (b->failed.rc) {
        return;
    } else if (rc == RC_AGAIN) {
        b->state = S3_RESTING;
        if (next_of(b) - b->began >= PROGRESS)
            retry_succeeded(&s3->retry, &r->retry);
    } else if (rc) {
        b->failed = err;
        if (rc == RC_NONE && b->object->known)
            b->failed.rc = RC_SOURCE; /* it was there when the run began */
        (void)settle_range(b);
    } else {
        attempt_ended(b);
    }
}

int64_t s3_bytes_turn(struct s3_bytes *b, int64_t now)
{
    if (b->state != S3_RESTING)
        return INT64_MAX;
    int64_t due = retry_when(&b->link->s3->retry, &b->request.retry);
    if (due > now)
        return due;
    send(b);
    return b->state == S3_RESTING ? b->due_us : INT64_MAX;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static uint64_t bounded(const struct s3_bytes *b, uint64_t end)
{
    return b->object->known && end > b->object->size ? b->object->size : end;
}

/* Gets what lies between `at` and `end`, and nothing else any more. */
static void ask(struct s3_bytes *b, uint64_t at, uint64_t end)
{
    bool rest = b->state == S3_FLYING && b->until - next_of(b) <= SHORT && b->headed;
    if (b->state == S3_FLYING && !rest)
        http_cancel(b->link->loop, &b->request.http);
    restart_window(b, at);
    b->until = bounded(b, end);
    b->drain = rest;
    if (rest) {
        http_go_on_with(&b->request.http);
        return;
    }
    b->state = S3_IDLE;
    if (at < b->until || !b->object->known)
        send(b);
}

void s3_bytes_begin(struct s3_bytes *b, uint64_t n)
{
    ask(b, 0, n);
}

static void expect(struct bytes *base, uint64_t at, uint64_t n)
{
    struct s3_bytes *b = of(base);
    b->expected = true;
    ask(b, at, at + n + BEYOND);
}

static void passed(struct bytes *base, uint64_t before)
{
    struct s3_bytes *b = of(base);
    if (before <= b->from + b->gone)
        return;
    uint64_t gone = before - b->from;
    b->gone = gone < b->window.len ? (size_t)gone : b->window.len;
    if (b->state == S3_FLYING)
        http_go_on_with(&b->request.http);
}

/* What is asked for when `at` is wanted and was not: all of a stream, a step of anything else. */
static uint64_t further(const struct s3_bytes *b, uint64_t at, size_t n)
{
    if (!b->expected && !b->patient)
        return b->object->size;
    return bounded(b, at + (n > FURTHER ? n : FURTHER));
}

static void get_more(struct s3_bytes *b, uint64_t at, size_t n)
{
    bool outside = at < b->from + b->gone || at > b->until || at > next_of(b) + SHORT;
    if (outside) {
        ask(b, at, further(b, at, n));
    } else if (b->state == S3_IDLE) {
        b->until = further(b, at, n);
        send(b);
    }
    if (b->room < n + (at - b->from - b->gone) + FURTHER)
        b->room = n + (size_t)(at - b->from - b->gone) + FURTHER;
    if (b->state == S3_FLYING)
        http_go_on_with(&b->request.http);
}

/* How many of the n wanted bytes are there: all, or those up to the end of what was asked for. */
static size_t ready(const struct s3_bytes *b, uint64_t at, size_t n)
{
    uint64_t next = next_of(b);
    if (b->drain || at < b->from + b->gone || at >= next)
        return 0;
    size_t have = next - at < n ? (size_t)(next - at) : n;
    return have == n || next == b->until ? have : 0;
}

static enum rc take(struct s3_bytes *b, uint64_t at, char *p, size_t n, size_t *got,
                    struct err *err)
{
    *got = 0;
    if (b->failed.rc) {
        *err = b->failed;
        return err->rc;
    }
    if (b->object->known && at >= b->object->size)
        return RC_END;
    if (b->object->known && n > b->object->size - at)
        n = (size_t)(b->object->size - at);
    size_t have = ready(b, at, n);
    if (!have) {
        get_more(b, at, n);
        have = ready(b, at, n);
    }
    if (!have)
        return b->failed.rc ? (*err = b->failed, err->rc) : RC_AGAIN;
    memcpy(p, b->window.p + (at - b->from), have);
    *got = have;
    return RC_OK;
}

static enum rc read_at(struct bytes *base, uint64_t at, char *p, size_t n, size_t *got,
                       struct err *err)
{
    struct s3_bytes *b = of(base);
    enum rc rc = take(b, at, p, n, got, err);
    if (rc != RC_AGAIN || !b->patient)
        return rc;
    rc = s3_link_wait(b->link, NULL, 0, PATIENCE_MS, err);
    if (!rc)
        rc = http_go_on(&b->link->s3->http, err);
    return rc ? rc : take(b, at, p, n, got, err);
}

/* ---- the object ---------------------------------------------------------------------------- */

enum rc s3_bytes_know(struct s3_bytes *b, struct err *err)
{
    struct s3 *s3 = b->link->s3;
    int64_t since = s3->env->mono_us(s3->env->ctx);
    enum rc rc = RC_OK;
    bool told = false;
    while (!rc && !b->failed.rc && !b->object->known) {
        told = told || (b->state == S3_RESTING && s3_tell(s3, &b->request, since));
        rc = s3_link_wait(b->link, NULL, 0, PATIENCE_MS, err);
        if (!rc)
            rc = http_go_on(&b->link->s3->http, err);
    }
    if (!rc && b->failed.rc) {
        *err = b->failed;
        rc = err->rc;
    }
    return rc;
}

struct bytes_facts s3_bytes_facts(const struct s3_object *x)
{
    return (struct bytes_facts){.again = true, .size = x->size, .mtime_ns = x->mtime_us * 1000};
}

/* What changes fails to be read: here it is what it was. */
static enum rc facts(struct bytes *base, struct bytes_facts *now, struct err *err)
{
    struct s3_bytes *b = of(base);
    *now = s3_bytes_facts(b->object);
    if (b->failed.rc)
        *err = b->failed;
    return b->failed.rc;
}

static void close_bytes(struct bytes *base)
{
    struct s3_bytes *b = of(base);
    if (b->prev) {
        b->prev->next = b->next;
    } else {
        b->link->open = b->next;
    }
    if (b->next)
        b->next->prev = b->prev;
    s3_request_release(&b->request); /* this takes it out of flight */
    buf_release(&b->window);
    free(b);
}

struct s3_bytes *s3_bytes_open(struct s3_link *l, struct s3_object *object, struct err *err)
{
    static const struct bytes_ops OPS = {.read_at = read_at,
                                         .expect = expect,
                                         .facts = facts,
                                         .close = close_bytes,
                                         .passed = passed};
    struct s3_bytes *b = memory_new(sizeof *b, err);
    if (!b)
        return NULL;
    b->base.ops = &OPS;
    b->link = l;
    b->object = object;
    s3_request_init(&b->request);
    b->request.receive = receive;
    b->request.done = done;
    b->request.ctx = b;
    buf_init(&b->window, BUF_NO_LIMIT);
    b->room = ROOM;
    b->next = l->open;
    if (l->open)
        l->open->prev = b;
    l->open = b;
    return b;
}
