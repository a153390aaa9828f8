/* SPDX-License-Identifier: MIT */
/* Control requests are neither signed, booked, delayed nor spoilt by faults. */
#include "tests/sim/control.h"

#include <stdlib.h>

#include "tests/sim/mem.h"
#include "tests/sim/sim.h"

static void refuse(struct reply *r, const struct err *err)
{
    reply_error(r, 400, "ControlError", err->msg, NULL);
}

/* Replaces all rules by those of the body; an empty body or [] clears them. */
static void set_faults(struct sim *s, const struct http_request *req, struct reply *r)
{
    struct err err = {0};
    struct fault_set fresh = {0};
    if (req->body.n && fault_add(&fresh, req->body, &err)) {
        refuse(r, &err);
        return;
    }
    fault_release(&s->faults);
    s->faults = fresh;
    buf_puts(&r->body, "{}");
}

static void add_faults(struct sim *s, const struct http_request *req, struct reply *r)
{
    struct err err = {0};
    if (fault_add(&s->faults, req->body, &err)) {
        refuse(r, &err);
    } else {
        buf_puts(&r->body, "{}");
    }
}

/* A description given as text must outlive the request: it is kept parsed. */
static bool set_describe(struct sim *s, yyjson_val *v, struct err *err)
{
    char *text = yyjson_val_write(v, 0, NULL);
    enum rc rc = sim_describe(s, text, err);
    free(text);
    return !rc;
}

static double real(yyjson_val *root, const char *name)
{
    yyjson_val *v = yyjson_obj_get(root, name);
    return v ? yyjson_get_num(v) : -1;
}

/* {"deleted":bool,"recreate":true,"clear":true,"on_demand":bool,"rcu":n,"wcu":n,
   "partition_rcu":n,"partition_wcu":n,"skew":s,"latency_ms":n,"describe":{...}} */
static void set_table(struct sim *s, const struct http_request *req, struct reply *r)
{
    struct err err = {0};
    yyjson_doc *doc = yyjson_read(req->body.p, req->body.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    yyjson_val *v = yyjson_obj_get(root, "deleted");
    if (v)
        s->deleted = yyjson_get_bool(v);
    v = yyjson_obj_get(root, "on_demand");
    if (v)
        s->opt.on_demand = yyjson_get_bool(v);
    v = yyjson_obj_get(root, "skew");
    if (v)
        s->skew_us = yyjson_get_sint(v) * 1000000;
    v = yyjson_obj_get(root, "latency_ms");
    if (v)
        s->opt.latency_ms = yyjson_get_sint(v);
    if (yyjson_get_bool(yyjson_obj_get(root, "recreate"))) {
        s->deleted = false;
        s->incarnation++;
    }
    if (yyjson_get_bool(yyjson_obj_get(root, "clear")))
        table_clear(&s->table);
    sim_resize(s, real(root, "rcu"), real(root, "wcu"), real(root, "partition_rcu"),
               real(root, "partition_wcu"));
    v = yyjson_obj_get(root, "describe");
    if (!yyjson_is_obj(root)) {
        (void)err_set(&err, RC_USAGE, "the body is not a JSON object");
    } else if (!v || set_describe(s, v, &err)) {
        buf_puts(&r->body, "{}");
    }
    if (err.rc)
        refuse(r, &err);
    yyjson_doc_free(doc);
}

static void add_rule_counts(const struct fault_set *f, struct buf *b)
{
    buf_puts(b, "\"rules\":[");
    for (size_t i = 0; i < f->n; i++) {
        buf_addf(b, "%s{\"seen\":%lld,\"fired\":%lld}", i ? "," : "",
                 (long long)f->rules[i].seen, (long long)f->rules[i].fired);
    }
    buf_putc(b, ']');
}

static void stats(struct sim *s, const struct http_request *req, struct reply *r)
{
    (void)req;
    const struct sim_stats *t = &s->stats;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"requests", t->requests},   {"ok", t->ok},
                {"errors", t->errors},       {"throttled", t->throttled},
                {"faults", t->faults},       {"connections", t->connections},
                {"bytes_out", t->bytes_out}, {"scans", t->scans},
                {"gets", t->gets},           {"writes", t->updates},
                {"applied", t->applied},     {"conditions_failed", t->conditions_failed},
                {"describes", t->describes}, {"items", s->table.n}};
    buf_putc(&r->body, '{');
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        buf_addf(&r->body, "\"%s\":%llu,", rows[i].name, (unsigned long long)rows[i].value);
    buf_addf(&r->body, "\"read_units\":%.1f,\"write_units\":%.1f,\"index_units\":%.1f,",
             t->read_units, t->write_units, t->index_units);
    add_rule_counts(&s->faults, &r->body);
    buf_puts(&r->body, "}\n");
}

static void dump(struct sim *s, const struct http_request *req, struct reply *r)
{
    (void)req;
    r->content_type = "application/x-ndjson";
    for (size_t i = 0; i < s->table.n; i++) {
        buf_puts(&r->body, "{\"Item\":");
        buf_add_str(&r->body, table_json(s->table.items[i]));
        buf_puts(&r->body, "}\n");
    }
}

static void flush(struct sim *s, const struct http_request *req, struct reply *r)
{
    (void)req;
    books_flush(&s->books);
    books_flush(&s->capture);
    buf_puts(&r->body, "{}");
}

void control_run(struct sim *s, const struct http_request *req, struct reply *r)
{
    static const struct {
        const char *path;
        void (*run)(struct sim *s, const struct http_request *req, struct reply *r);
    } rows[] = {{"/__sim/faults", set_faults}, {"/__sim/add-faults", add_faults},
                {"/__sim/table", set_table},   {"/__sim/stats", stats},
                {"/__sim/dump", dump},         {"/__sim/flush", flush}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (str_is(req->path, rows[i].path)) {
            rows[i].run(s, req, r);
            return;
        }
    }
    reply_error(r, 404, "ControlError", "no such control request", NULL);
}
