/* SPDX-License-Identifier: MIT */
/* The order of checks is the service's: signature first, then throttling, then the operation. */
#include "tests/sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/sim/act.h"
#include "tests/sim/av.h"
#include "tests/sim/control.h"
#include "tests/sim/gsi.h"
#include "tests/sim/load.h"
#include "tests/sim/mem.h"
#include "tests/sim/op.h"
#include "tests/sim/s3.h"

static int64_t clock_us(clockid_t id)
{
    struct timespec ts;
    (void)clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t sim_mono_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

int64_t sim_wall_us(const struct sim *s)
{
    return clock_us(CLOCK_REALTIME) + s->skew_us;
}

static enum rc add_faults(struct sim *s, const char *text, struct err *err)
{
    if (text[0] == '[' || text[0] == '{')
        return fault_add(&s->faults, str_of(text), err);
    size_t len = 0;
    char *file = mem_file(text, &len);
    if (!file)
        return err_errno(err, RC_USAGE, errno, "cannot read \"%s\"", text);
    enum rc rc = fault_add(&s->faults, str_make(file, len), err);
    free(file);
    return rc;
}

static enum rc fill(struct sim *s, struct err *err)
{
    struct load_shape shape = {.count = (uint64_t)s->opt.generate,
                               .item_bytes = (uint64_t)s->opt.item_bytes,
                               .seed = (uint64_t)s->opt.seed};
    enum rc rc = RC_OK;
    if (s->opt.items)
        rc = load_file(&s->table, s->opt.items, err);
    if (!rc && shape.count)
        rc = load_generated(&s->table, &shape, err);
    if (!rc && s->opt.canned)
        canned_init(&s->canned, &s->table, (size_t)s->opt.page_bytes, &s->opt);
    return rc;
}

enum rc sim_describe(struct sim *s, const char *json, struct err *err)
{
    yyjson_doc *doc = json ? yyjson_read(json, strlen(json), 0) : NULL;
    if (json && !yyjson_is_obj(yyjson_doc_get_root(doc))) {
        yyjson_doc_free(doc);
        return err_set(err, RC_USAGE, "the description must be a JSON object");
    }
    yyjson_doc_free(s->describe);
    s->describe = doc;
    return RC_OK;
}

enum rc sim_init(struct sim *s, const struct opt *o, struct err *err)
{
    *s = (struct sim){.opt = *o};
    s->skew_us = o->skew * 1000000;
    s->auth = (struct auth){.off = o->no_auth,
                            .tolerance_us = o->tolerance * 1000000,
                            .skew_error = "InvalidSignatureException"};
    (void)snprintf(s->arn, sizeof s->arn, "arn:aws:dynamodb:%s:000000000000:table/%s",
                   o->region, o->table);
    table_init(&s->table, o->key);
    enum rc rc = sim_describe(s, o->describe, err);
    if (!rc)
        rc = fill(s, err);
    for (int i = 0; !rc && i < o->credentials.n; i++) {
        if (!auth_add(&s->auth, o->credentials.text[i]))
            rc = err_set(err, RC_USAGE, "credentials must be ID:SECRET[:TOKEN]");
    }
    for (int i = 0; !rc && i < o->faults.n; i++)
        rc = add_faults(s, o->faults.text[i], err);
    if (!rc)
        rc = books_open(&s->books, o->books, err);
    if (!rc)
        rc = books_open(&s->capture, o->capture, err);
    sim_resize(s, -1, -1, o->partition_rcu, o->partition_wcu);
    return rc;
}

void sim_release(struct sim *s)
{
    s3_release(s);
    books_close(&s->books);
    books_close(&s->capture);
    yyjson_doc_free(s->describe);
    fault_release(&s->faults);
    aside_release(&s->aside);
    auth_release(&s->auth);
    canned_release(&s->canned);
    table_release(&s->table);
}

static size_t partitions(const struct sim *s)
{
    return s->opt.partitions < SIM_MAX_PARTITIONS ? (size_t)s->opt.partitions
                                                  : SIM_MAX_PARTITIONS;
}

void sim_resize(struct sim *s, double rcu, double wcu, double partition_rcu,
                double partition_wcu)
{
    if (rcu >= 0)
        s->opt.rcu = rcu;
    if (wcu >= 0)
        s->opt.wcu = wcu;
    if (partition_rcu >= 0)
        s->opt.partition_rcu = partition_rcu;
    if (partition_wcu >= 0)
        s->opt.partition_wcu = partition_wcu;
    int64_t now = sim_mono_us();
    for (size_t i = 0; i < partitions(s); i++) {
        s->buckets[i] = (struct sim_bucket){s->opt.partition_rcu * s->opt.burst,
                                            s->opt.partition_wcu * s->opt.burst, now};
    }
    s->whole = (struct sim_bucket){s->opt.rcu * s->opt.burst, s->opt.wcu * s->opt.burst, now};
}

/* Lets the bucket run full at these rates. */
static void refill(const struct sim *s, struct sim_bucket *b, double rcu, double wcu)
{
    double dt = (double)(s->now_us - b->at_us) / 1e6;
    if (dt > 0) {
        b->read += dt * rcu;
        b->write += dt * wcu;
        b->at_us = s->now_us;
    }
    b->read = b->read < rcu * s->opt.burst ? b->read : rcu * s->opt.burst;
    b->write = b->write < wcu * s->opt.burst ? b->write : wcu * s->opt.burst;
}

static struct sim_bucket *bucket_of(struct sim *s, uint64_t hash)
{
    struct sim_bucket *b = &s->buckets[table_part(hash, partitions(s))];
    refill(s, b, s->opt.partition_rcu, s->opt.partition_wcu);
    refill(s, &s->whole, s->opt.rcu, s->opt.wcu);
    return b;
}

static bool has_left(const struct sim_bucket *b, bool write)
{
    return (write ? b->write : b->read) > 0;
}

/* `index`: which; empty: the table. */
static void throttle(const struct sim *s, struct str index, const char *reason, bool write,
                     struct reply *r)
{
    char extra[1024];
    (void)snprintf(extra, sizeof extra,
                   "\"%s\":[{\"reason\":\"%s%s%s\",\"resource\":\"%s%s%.*s\"}]",
                   s->opt.on_demand ? "throttlingReasons" : "ThrottlingReasons",
                   index.n ? "Index" : "Table", write ? "Write" : "Read", reason, s->arn,
                   index.n ? "/index/" : "", STR_FMT(index));
    reply_error(r, 400,
                s->opt.on_demand ? "ThrottlingException"
                                 : "ProvisionedThroughputExceededException",
                "Throughput exceeds the current throughput limit.", extra);
}

bool sim_admit(struct sim *s, uint64_t hash, bool write, struct reply *r)
{
    struct sim_bucket *b = bucket_of(s, hash);
    if ((write ? s->opt.partition_wcu : s->opt.partition_rcu) > 0 && !has_left(b, write)) {
        throttle(s, STR(""), "KeyRangeThroughputExceeded", write, r);
        return false;
    }
    if (s->opt.enforce && !has_left(&s->whole, write)) {
        throttle(s, STR(""),
                 s->opt.on_demand ? "MaxOnDemandThroughputExceeded"
                                  : "ProvisionedThroughputExceeded",
                 write, r);
        return false;
    }
    return true;
}

bool sim_admit_indexes(struct sim *s, yyjson_val *before, yyjson_val *after, struct reply *r)
{
    struct gsi_touch touched[20];
    double wcu = s->opt.index_partition_wcu;
    size_t n = wcu > 0 ? gsi_touched(s->describe, &s->table, before, after, touched, 20) : 0;
    for (size_t i = 0; i < n; i++) {
        struct sim_bucket *b = &s->index_buckets[touched[i].partition % SIM_MAX_PARTITIONS];
        refill(s, b, 0, wcu);
        if (!has_left(b, true)) {
            throttle(s, touched[i].name, "KeyRangeThroughputExceeded", true, r);
            return false;
        }
    }
    for (size_t i = 0; i < n; i++)
        s->index_buckets[touched[i].partition % SIM_MAX_PARTITIONS].write -= touched[i].units;
    return true;
}

void sim_charge(struct sim *s, uint64_t hash, bool write, double units, struct reply *r)
{
    struct sim_bucket *b = bucket_of(s, hash);
    r->units += units;
    if (write) {
        b->write -= units;
        s->whole.write -= units;
        s->stats.write_units += units;
    } else {
        b->read -= units;
        s->whole.read -= units;
        s->stats.read_units += units;
    }
}

/* As the service does: only if asked, and only above 4 KB. */
static void compress(const struct sim *s, const struct http_request *req, struct reply *r)
{
    struct str accept = http_header(req, "accept-encoding", 0);
    if (s->opt.gzip && r->body.len + r->shared.n > 4096 &&
        str_find(accept, STR("gzip"), 0) < accept.n)
        act_compress(r);
}

/* What is done between the signature and the fault: an operation of one of the services. */
struct work {
    const struct http_request *req;
    const struct op_call *op; /* NULL: S3 */
    const struct s3_call *s3;
};

static void operate(struct sim *s, const struct work *w, struct reply *r)
{
    if (w->op) {
        op_run(s, w->op, r);
    } else {
        s3_run(s, w->s3, r);
    }
}

static void run(struct sim *s, struct fault_rule *rule, const struct work *w, struct reply *r)
{
    const struct fault_action *a = rule ? rule->action : NULL;
    s->empty_page = false;
    if (a && a->when == ACT_STATE)
        a->run(s, rule, r);
    bool passed = auth_check(&s->auth, w->req, w->op ? "dynamodb" : "s3", sim_wall_us(s), r);
    if (passed && (!a || a->when != ACT_INSTEAD || rule->apply))
        operate(s, w, r);
    compress(s, w->req, r);
    if (a && a->when != ACT_STATE)
        a->run(s, rule, r);
    if (a) {
        r->fault = a->name;
        s->stats.faults++;
    }
}

static void count(struct sim *s, const struct reply *r)
{
    bool ok = (r->status == 200 || r->status == 206) && !r->silent;
    s->stats.requests++;
    s->stats.ok += ok;
    s->stats.errors += !ok;
    s->stats.throttled += strstr(r->outcome, "Throughput") || strstr(r->outcome, "Throttling");
}

/* A line of the books: what came of whom, "s3:KEY" being the operation. */
static void note_s3(struct sim *s, const struct s3_call *c, const struct reply *r)
{
    count(s, r);
    struct books_line line = {.arrival_us = c->req->arrival_us,
                              .operation = str_of(c->operation),
                              .segment = -1,
                              .status = r->silent ? 0 : r->status,
                              .outcome = r->outcome,
                              .fault = r->fault};
    books_write(&s->books, &line);
}

/* HEAD's answer has a length and no body. */
static void handle_s3(struct sim *s, const struct http_request *req, struct reply *r)
{
    struct s3_call call;
    s3_call_init(&call, req);
    struct fault_request fr = {str_of(call.operation),
                               http_header(req, "x-amz-security-token", 0), auth_key_id(req),
                               buf_view(&call.key), -1};
    struct work w = {req, NULL, &call};
    r->xml = r->crc_off = true;
    r->delay_us = s->opt.latency_ms * 1000;
    run(s, fault_pick(&s->faults, &fr), &w, r);
    if (str_is(req->method, "HEAD"))
        r->send_max = 0;
    note_s3(s, &call, r);
    s3_call_release(&call);
}

static void note(struct sim *s, const struct op_call *call, const struct reply *r)
{
    count(s, r);
    struct books_line line = {call->req->arrival_us,
                              call->operation,
                              call->segment,
                              r->units,
                              r->silent ? 0 : r->status,
                              r->outcome,
                              r->fault,
                              r->index_units,
                              yyjson_obj_get(call->root, "ExclusiveStartKey") != NULL};
    books_write(&s->books, &line);
    if (call->pk.n)
        books_capture(&s->capture, &line, call->req->body);
}

void sim_handle(struct sim *s, const struct http_request *req, struct reply *r)
{
    s->now_us = sim_mono_us();
    s->serial++;
    if (str_starts(req->path, STR("/__sim/"))) {
        control_run(s, req, r);
        return;
    }
    if (s3_is(s, req)) {
        handle_s3(s, req, r);
        return;
    }
    struct op_call call;
    op_call_init(&call, req);
    call.pk = op_key_text(&call, s->table.pk);
    struct fault_request fr = {call.operation, http_header(req, "x-amz-security-token", 0),
                               auth_key_id(req), call.pk, call.segment};
    r->delay_us = s->opt.latency_ms * 1000;
    struct work w = {req, &call, NULL};
    run(s, fault_pick(&s->faults, &fr), &w, r);
    note(s, &call, r);
    op_call_release(&call);
}
