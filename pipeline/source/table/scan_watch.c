/* SPDX-License-Identifier: MIT */
/*
 * A look at the table every minute, on a loop of the main thread's own that is only ever polled
 * without waiting. New capacity becomes a new budget; a table that is gone, or is another one
 * under the same name, ends the run. A look that fails otherwise is tried again a minute later:
 * if the trouble is real, the scan itself meets it.
 */
#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/source/table/scan_private.h"

struct scan_watch {
    struct scan *scan;
    struct http_loop *loop;
    struct dynamodb_request request;
    int64_t next_us;
    bool flying;
    enum rc rc; /* of a look that ended the run */
    struct err err;
};

enum rc scan_watch_same(const struct scan *scan, const struct dynamodb_table *now,
                        struct err *err)
{
    const struct dynamodb_table *then = &scan->table;
    bool gone = str_is(now->status, "DELETING");
    bool other = !str_eq(then->id, now->id) || then->created_us != now->created_us;
    if (!gone && !other)
        return RC_OK;
    (void)err_set(err, RC_SOURCE, "table \"%.*s\" was %s while it was read",
                  STR_FMT(scan->opts.table), gone ? "deleted" : "deleted and made anew");
    return err_hint(err, "what was read is not shown; --restart begins anew");
}

static bool same_limits(const struct budget_limits *a, const struct budget_limits *b)
{
    return a->start == b->start && a->max == b->max && a->min == b->min;
}

static enum rc look(struct scan_watch *w, struct str json, struct err *err)
{
    struct scan *s = w->scan;
    struct arena arena;
    struct dynamodb_table now;
    arena_init(&arena, 16384);
    /* an answer that describes no table comes from a proxy and does not end the run */
    bool read = !dynamodb_table_read(&now, json, &arena, err);
    enum rc rc = read ? scan_watch_same(s, &now, err) : RC_OK;
    if (read && !rc) {
        const struct dynamodb_index *index =
            s->opts.index.n ? dynamodb_table_index(&now, s->opts.index) : NULL;
        struct budget_limits limits = scan_pace_limits(&s->opts.pace, &now, index);
        if (!same_limits(&limits, &s->limits))
            budget_set_limits(&s->budget, limits, scan_mono(s));
        s->limits = limits;
        if (s->look)
            s->look(s->look_ctx, &now);
    }
    arena_release(&arena);
    return rc;
}

/* Not by dynamodb_finish: a look that succeeds must not count as a request of the scan, or a run
 * whose pages all fail would never give up. */
static void looked(struct dynamodb_request *request, void *ctx)
{
    struct scan_watch *w = ctx;
    struct aws_failure *f = &request->failure;
    struct err err = {0};
    enum rc rc = RC_OK;
    w->flying = false;
    aws_error_read(&request->http, f);
    if (f->class == AWS_OK) {
        rc = look(w, buf_view(&request->http.body), &err);
    } else if (strcmp(f->name, "ResourceNotFoundException") == 0) {
        rc = !aws_error_set(f, "DescribeTable", &err) ? RC_OK : RC_SOURCE;
        err.rc = rc;
    }
    if (rc == RC_SOURCE) {
        w->rc = rc;
        w->err = err;
    }
}

struct scan_watch *scan_watch_new(struct scan *scan)
{
    struct scan_watch *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->scan = scan;
    dynamodb_request_init(&w->request);
    w->request.op = "DescribeTable";
    w->request.done = looked;
    w->request.ctx = w;
    buf_puts(&w->request.send, "{\"TableName\":");
    json_add_string(&w->request.send, scan->opts.table);
    buf_putc(&w->request.send, '}');
    w->next_us = scan_mono(scan) + scan->opts.watch_us;
    return w;
}

void scan_watch_free(struct scan_watch *w)
{
    if (!w)
        return;
    dynamodb_request_release(&w->request);
    http_loop_free(w->loop);
    free(w);
}

enum rc scan_watch_tick(struct scan_watch *w, struct err *err)
{
    struct scan *s = w->scan;
    int64_t now = scan_mono(s);
    enum rc rc = RC_OK;
    if (!w->flying && now < w->next_us)
        return RC_OK;
    if (!w->loop)
        rc = http_loop_new(&w->loop, &s->ddb.http, err);
    if (!rc && !w->flying) {
        w->next_us = now + s->opts.watch_us;
        rc = dynamodb_start(&s->ddb, w->loop, &w->request, err);
        w->flying = !rc;
    }
    if (rc)
        return RC_OK; /* the next look, or the scan itself, will tell */
    rc = http_poll(w->loop, NULL, 0, 0, err);
    if (!rc && w->rc) {
        *err = w->err;
        rc = w->rc;
    }
    return rc;
}
