/* SPDX-License-Identifier: MIT */
/* Dispatch by X-Amz-Target, and the checks all operations share. */
#include "tests/sim/op.h"

#include "pipeline/base/json.h"
#include "tests/sim/av.h"
#include "tests/sim/sim.h"

static const struct row {
    const char *name;
    void (*run)(struct sim *s, const struct op_call *c, struct reply *r);
    bool on_table;
} rows[] = {
    {"Scan", op_scan, true},
    {"UpdateItem", op_update_item, true},
    {"GetItem", op_get_item, true},
    {"PutItem", op_put_item, true},
    {"DeleteItem", op_delete_item, true},
    {"DescribeTable", op_describe_table, true},
    {"DescribeTimeToLive", op_describe_ttl, true},
    {"DescribeContinuousBackups", op_describe_backups, true},
    {"DescribeLimits", op_describe_limits, false},
    {"ListTables", op_list_tables, false},
};

void op_call_init(struct op_call *c, const struct http_request *req)
{
    *c = (struct op_call){.req = req, .segment = -1};
    struct str target = http_header(req, "x-amz-target", 0);
    if (str_starts(target, STR("DynamoDB_20120810.")))
        c->operation = str_from(target, sizeof "DynamoDB_20120810." - 1);
    c->doc = yyjson_read(req->body.p, req->body.n, 0);
    c->root = yyjson_doc_get_root(c->doc);
    yyjson_val *segment = yyjson_obj_get(c->root, "Segment");
    if (yyjson_is_int(segment))
        c->segment = yyjson_get_sint(segment);
}

void op_call_release(struct op_call *c)
{
    yyjson_doc_free(c->doc);
}

struct str op_text(const struct op_call *c, const char *member)
{
    return av_text(yyjson_obj_get(c->root, member));
}

struct lex_scope op_scope(const struct op_call *c)
{
    return (struct lex_scope){.names = yyjson_obj_get(c->root, "ExpressionAttributeNames"),
                              .values = yyjson_obj_get(c->root, "ExpressionAttributeValues")};
}

struct str op_key_text(const struct op_call *c, const char *pk)
{
    yyjson_val *in = NULL;
    yyjson_val *key = yyjson_obj_get(c->root, "Key");
    if (!key)
        key = yyjson_obj_get(c->root, "Item");
    (void)av_type(yyjson_obj_get(key, pk), &in);
    return av_text(in);
}

void op_add_capacity(const struct op_call *c, double units, const char *comma, struct buf *out)
{
    op_add_write_capacity(c, units, 0, str_make(NULL, 0), comma, out);
}

void op_add_write_capacity(const struct op_call *c, double units, double more,
                           struct str indexes, const char *comma, struct buf *out)
{
    struct str want = op_text(c, "ReturnConsumedCapacity");
    if (want.n == 0 || str_is(want, "NONE"))
        return;
    buf_addf(out, "%s\"ConsumedCapacity\":{\"TableName\":", comma);
    json_add_string(out, op_text(c, "TableName"));
    buf_addf(out, ",\"CapacityUnits\":%.1f", units + more);
    if (str_is(want, "INDEXES")) {
        buf_addf(out, ",\"Table\":{\"CapacityUnits\":%.1f}", units);
        if (indexes.n)
            buf_addf(out, ",\"GlobalSecondaryIndexes\":{%.*s}", STR_FMT(indexes));
    }
    buf_putc(out, '}');
}

double op_read_units(const struct op_call *c, uint64_t bytes)
{
    uint64_t blocks = bytes ? (bytes + 4095) / 4096 : 1;
    bool strong = yyjson_get_bool(yyjson_obj_get(c->root, "ConsistentRead"));
    return (double)blocks * (strong ? 1.0 : 0.5);
}

static bool right_table(const struct sim *s, const struct op_call *c)
{
    struct str name = op_text(c, "TableName");
    return !s->deleted && (str_is(name, s->opt.table) || str_is(name, s->arn));
}

void op_run(struct sim *s, const struct op_call *c, struct reply *r)
{
    const struct row *row = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (str_is(c->operation, rows[i].name))
            row = &rows[i];
    }
    if (!str_is(c->req->method, "POST") || !row) {
        reply_error(r, 400, "UnknownOperationException", "unknown operation", NULL);
    } else if (!yyjson_is_obj(c->root)) {
        reply_error(r, 400, "SerializationException", "the body is not a JSON object", NULL);
    } else if (row->on_table && !right_table(s, c)) {
        reply_error(r, 400, "ResourceNotFoundException",
                    str_is(c->operation, "DescribeTable")
                        ? "Requested resource not found: Table not found"
                        : "Requested resource not found",
                    NULL);
    } else {
        row->run(s, c, r);
    }
}
