/* SPDX-License-Identifier: MIT */
/*
 * One GetItem after the other on one connection, each with the worst case reserved and what it
 * did not cost given back.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
 */
#include "pipeline/source/table/get_item.h"

#include <math.h>
#include <stdlib.h>
#include <yyjson.h>

#include "pipeline/base/json.h"
#include "pipeline/source/table/scan_private.h"

struct get_item {
    struct scan *scan;
    struct http_loop *loop;
    struct dynamodb_request request;
    struct budget_ticket ticket;
};

enum rc get_item_new(struct source *base, struct get_item **out, struct err *err)
{
    struct get_item *g = calloc(1, sizeof *g);
    if (!g)
        return err_nomem(err);
    g->scan = (struct scan *)base;
    dynamodb_request_init(&g->request);
    g->request.op = "GetItem";
    enum rc rc = http_loop_new(&g->loop, &g->scan->ddb.http, err);
    if (!rc) {
        *out = g;
    } else {
        get_item_free(g);
    }
    return rc;
}

void get_item_free(struct get_item *g)
{
    if (!g)
        return;
    dynamodb_request_release(&g->request);
    http_loop_free(g->loop);
    free(g);
}

/* A consistent read costs twice what the scan's own measure may say. */
static int64_t worst(const struct scan *s)
{
    int64_t units = scan_sizes_worst(&s->sizes, 1);
    return s->sizes.strong ? units : 2 * units;
}

static enum rc reserve(struct get_item *g, struct err *err)
{
    struct scan *s = g->scan;
    int64_t at = 0;
    enum rc rc = RC_OK;
    while (!rc && !budget_reserve(&s->budget, worst(s), scan_mono(s), &g->ticket, &at))
        rc = http_rest(&s->ddb.http, at, err);
    return rc;
}

static void settle(struct get_item *g, yyjson_val *root)
{
    struct scan *s = g->scan;
    yyjson_val *units =
        yyjson_obj_get(yyjson_obj_get(root, "ConsumedCapacity"), "CapacityUnits");
    if (yyjson_is_num(units)) {
        int64_t cost = llround(yyjson_get_num(units) * (double)BUDGET_UNIT);
        budget_settle(&s->budget, &g->ticket, cost, scan_mono(s));
    } else {
        budget_settle_unknown(&s->budget, &g->ticket, scan_mono(s));
    }
}

static enum rc attempt(struct get_item *g, int64_t *at_us, struct err *err)
{
    struct scan *s = g->scan;
    const struct aws_failure *f = &g->request.failure;
    enum rc rc = reserve(g, err);
    if (rc)
        return rc;
    rc = dynamodb_start(&s->ddb, g->loop, &g->request, err);
    bool sent = !rc;
    if (!sent)
        rc = dynamodb_failed(&s->ddb, &g->request, false, at_us, err);
    if (!rc)
        rc = http_finish(g->loop, err);
    if (!rc)
        rc = dynamodb_finish(&s->ddb, &g->request, at_us, err);
    if (!rc)
        return rc;
    int64_t now = scan_mono(s);
    if (sent && f->maybe_done) {
        budget_settle_unknown(&s->budget, &g->ticket, now);
    } else {
        budget_settle(&s->budget, &g->ticket, 0, now);
    }
    if (sent && f->class == AWS_THROTTLE && !f->key_range)
        budget_throttled(&s->budget, now);
    return rc;
}

static enum rc take(struct get_item *g, struct buf *out, struct err *err)
{
    struct str body = buf_view(&g->request.http.body);
    yyjson_doc *doc = yyjson_read(body.p, body.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *item = yyjson_obj_get(root, "Item");
    enum rc rc = RC_OK;
    settle(g, root);
    if (!root)
        rc = err_set(err, RC_TRANSIENT, "GetItem: the answer is no JSON");
    size_t n = 0;
    char *text = item ? yyjson_val_write(item, 0, &n) : NULL;
    if (item && !text)
        rc = err_nomem(err);
    if (text) {
        buf_puts(out, "{\"Item\":");
        buf_add(out, text, n);
        buf_puts(out, "}\n");
    }
    free(text);
    yyjson_doc_free(doc);
    return rc ? rc : buf_check(out, err);
}

enum rc get_item_read(struct get_item *g, struct str key, struct buf *out, struct err *err)
{
    struct buf *b = &g->request.send;
    int64_t at = 0;
    buf_clear(b);
    buf_puts(b, "{\"TableName\":");
    json_add_string(b, g->scan->opts.table);
    buf_puts(b, ",\"ConsistentRead\":true,\"ReturnConsumedCapacity\":\"TOTAL\",\"Key\":");
    buf_add_str(b, key);
    buf_putc(b, '}');
    enum rc rc = buf_check(b, err);
    g->request.retry = (struct retry_op){0};
    if (!rc)
        rc = attempt(g, &at, err);
    while (rc == RC_AGAIN) {
        rc = http_rest(&g->scan->ddb.http, at, err);
        if (!rc)
            rc = attempt(g, &at, err);
    }
    return rc ? rc : take(g, out, err);
}
