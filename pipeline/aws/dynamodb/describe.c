/* SPDX-License-Identifier: MIT */
/*
 * DescribeTable read into plain structs. Unknown members are ignored: the service adds some
 * every year. Sizes and counts beyond 2^63 do not occur; what is no number counts as absent.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
 */
#include "pipeline/aws/dynamodb/describe.h"

#include <yyjson.h>

#include "pipeline/base/json.h"

struct reader {
    struct arena *arena;
    yyjson_val *definitions;
    bool nomem;
};

static struct str text(struct reader *r, yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    if (!yyjson_is_str(v))
        return STR("");
    struct str s = arena_dup(r->arena, str_make(yyjson_get_str(v), yyjson_get_len(v)));
    r->nomem = r->nomem || !s.p;
    return s;
}

static int64_t number(yyjson_val *o, const char *name, int64_t absent)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    if (yyjson_is_int(v))
        return yyjson_get_sint(v);
    return yyjson_is_real(v) ? (int64_t)yyjson_get_real(v) : absent;
}

static bool is(yyjson_val *o, const char *name, const char *want)
{
    return yyjson_equals_str(yyjson_obj_get(o, name), want);
}

static char type_of(struct reader *r, yyjson_val *name)
{
    size_t i, n;
    yyjson_val *d;
    yyjson_arr_foreach(r->definitions, i, n, d)
    {
        const char *type = yyjson_get_str(yyjson_obj_get(d, "AttributeType"));
        if (type && yyjson_equals(yyjson_obj_get(d, "AttributeName"), name))
            return type[0];
    }
    return '?';
}

/* One pass for the hash keys, one for the range keys. */
static void read_schema(struct reader *r, yyjson_val *list, struct dynamodb_schema *out)
{
    size_t i, n;
    yyjson_val *k;
    for (int range = 0; range < 2; range++) {
        yyjson_arr_foreach(list, i, n, k)
        {
            if (is(k, "KeyType", "RANGE") != (range == 1) || out->n == DDB_KEYS_MAX)
                continue;
            out->keys[out->n++] =
                (struct dynamodb_key){.name = text(r, k, "AttributeName"),
                                      .type = type_of(r, yyjson_obj_get(k, "AttributeName")),
                                      .range = range == 1};
        }
    }
}

static struct dynamodb_capacity read_capacity(yyjson_val *o)
{
    yyjson_val *provisioned = yyjson_obj_get(o, "ProvisionedThroughput");
    yyjson_val *demand = yyjson_obj_get(o, "OnDemandThroughput");
    yyjson_val *warm = yyjson_obj_get(o, "WarmThroughput");
    return (struct dynamodb_capacity){
        .read = number(provisioned, "ReadCapacityUnits", 0),
        .write = number(provisioned, "WriteCapacityUnits", 0),
        .max_read = number(demand, "MaxReadRequestUnits", -1),
        .max_write = number(demand, "MaxWriteRequestUnits", -1),
        .warm_read = number(warm, "ReadUnitsPerSecond", -1),
        .warm_write = number(warm, "WriteUnitsPerSecond", -1),
    };
}

/* The strings of an array, or of a member of its objects. */
static struct str *read_list(struct reader *r, yyjson_val *list, const char *member,
                             size_t *out)
{
    size_t i, n = yyjson_arr_size(list);
    yyjson_val *v;
    struct str *names = n ? arena_array(r->arena, n, sizeof *names) : NULL;
    *out = 0;
    if (n && !names) {
        r->nomem = true;
        return NULL;
    }
    yyjson_arr_foreach(list, i, n, v)
    {
        yyjson_val *s = member ? yyjson_obj_get(v, member) : v;
        struct str name = str_make(yyjson_get_str(s), yyjson_get_len(s));
        names[(*out)++] = arena_dup(r->arena, name);
    }
    return names;
}

static void read_index(struct reader *r, yyjson_val *o, bool global, struct dynamodb_index *x)
{
    yyjson_val *projection = yyjson_obj_get(o, "Projection");
    *x = (struct dynamodb_index){.name = text(r, o, "IndexName"),
                                 .status = text(r, o, "IndexStatus"),
                                 .global = global,
                                 .capacity = read_capacity(o),
                                 .items = number(o, "ItemCount", 0),
                                 .bytes = number(o, "IndexSizeBytes", 0),
                                 .backfilling =
                                     yyjson_get_bool(yyjson_obj_get(o, "Backfilling"))};
    if (is(projection, "ProjectionType", "KEYS_ONLY")) {
        x->projection = DDB_PROJECT_KEYS;
    } else if (is(projection, "ProjectionType", "INCLUDE")) {
        x->projection = DDB_PROJECT_INCLUDE;
    }
    x->attributes =
        read_list(r, yyjson_obj_get(projection, "NonKeyAttributes"), NULL, &x->n_attributes);
    read_schema(r, yyjson_obj_get(o, "KeySchema"), &x->schema);
}

static void read_indexes(struct reader *r, yyjson_val *table, struct dynamodb_table *t)
{
    yyjson_val *global = yyjson_obj_get(table, "GlobalSecondaryIndexes");
    yyjson_val *local = yyjson_obj_get(table, "LocalSecondaryIndexes");
    size_t i, n, most = yyjson_arr_size(global) + yyjson_arr_size(local);
    yyjson_val *o;
    t->indexes = most ? arena_array(r->arena, most, sizeof *t->indexes) : NULL;
    if (most && !t->indexes) {
        r->nomem = true;
        return;
    }
    yyjson_arr_foreach(global, i, n, o) read_index(r, o, true, &t->indexes[t->n_indexes++]);
    yyjson_arr_foreach(local, i, n, o) read_index(r, o, false, &t->indexes[t->n_indexes++]);
}

static void read_table(struct reader *r, yyjson_val *o, struct dynamodb_table *t)
{
    yyjson_val *stream = yyjson_obj_get(o, "StreamSpecification");
    yyjson_val *created = yyjson_obj_get(o, "CreationDateTime");
    r->definitions = yyjson_obj_get(o, "AttributeDefinitions");
    *t = (struct dynamodb_table){
        .name = text(r, o, "TableName"),
        .id = text(r, o, "TableId"),
        .arn = text(r, o, "TableArn"),
        .status = text(r, o, "TableStatus"),
        .class = text(r, yyjson_obj_get(o, "TableClassSummary"), "TableClass"),
        .items = number(o, "ItemCount", 0),
        .bytes = number(o, "TableSizeBytes", 0),
        .created_us = (int64_t)(yyjson_get_num(created) * 1e6),
        .capacity = read_capacity(o)};
    t->stream = yyjson_get_bool(yyjson_obj_get(stream, "StreamEnabled"));
    t->on_demand =
        is(yyjson_obj_get(o, "BillingModeSummary"), "BillingMode", "PAY_PER_REQUEST");
    read_schema(r, yyjson_obj_get(o, "KeySchema"), &t->schema);
    read_indexes(r, o, t);
    t->replicas = read_list(r, yyjson_obj_get(o, "Replicas"), "RegionName", &t->n_replicas);
}

enum rc dynamodb_table_read(struct dynamodb_table *t, struct str json, struct arena *arena,
                            struct err *err)
{
    struct reader r = {.arena = arena};
    yyjson_doc *doc = json.n ? yyjson_read(json.p, json.n, 0) : NULL;
    yyjson_val *table = yyjson_obj_get(yyjson_doc_get_root(doc), "Table");
    enum rc rc = RC_OK;
    *t = (struct dynamodb_table){0};
    if (table)
        read_table(&r, table, t);
    if (r.nomem) {
        rc = err_nomem(err);
    } else if (!table || !t->name.n || !t->schema.n) {
        rc = err_set(err, RC_SOURCE, "DescribeTable: the answer describes no table");
    }
    yyjson_doc_free(doc);
    return rc;
}

static enum rc ask(struct dynamodb *d, const char *op, const char *needs, struct str table,
                   struct buf *answer, struct err *err)
{
    struct buf json;
    buf_init(&json, 4096);
    buf_puts(&json, "{\"TableName\":");
    json_add_string(&json, table);
    buf_putc(&json, '}');
    enum rc rc = buf_check(&json, err);
    if (!rc)
        rc = dynamodb_call(d, op, needs, buf_view(&json), answer, err);
    if (rc)
        rc = err_context(err, "table \"%.*s\" in %s", STR_FMT(table), d->settings->region);
    buf_release(&json);
    return rc;
}

enum rc dynamodb_table_describe(struct dynamodb *d, struct str table, struct arena *arena,
                                struct dynamodb_table *out, struct err *err)
{
    struct buf answer;
    buf_init(&answer, BUF_NO_LIMIT);
    enum rc rc = ask(d, "DescribeTable", "Table", table, &answer, err);
    if (!rc)
        rc = dynamodb_table_read(out, buf_view(&answer), arena, err);
    buf_release(&answer);
    return rc;
}

static enum rc read_ttl(struct str json, struct arena *arena, struct str *out, struct err *err)
{
    struct reader r = {.arena = arena};
    yyjson_doc *doc = json.n ? yyjson_read(json.p, json.n, 0) : NULL;
    yyjson_val *ttl = yyjson_obj_get(yyjson_doc_get_root(doc), "TimeToLiveDescription");
    if (is(ttl, "TimeToLiveStatus", "ENABLED") || is(ttl, "TimeToLiveStatus", "ENABLING"))
        *out = text(&r, ttl, "AttributeName");
    yyjson_doc_free(doc);
    return r.nomem ? err_nomem(err) : RC_OK;
}

enum rc dynamodb_table_ttl(struct dynamodb *d, struct str table, struct arena *arena,
                           struct str *out, struct err *err)
{
    struct buf answer;
    buf_init(&answer, BUF_NO_LIMIT);
    *out = STR("");
    enum rc rc = ask(d, "DescribeTimeToLive", "TimeToLiveDescription", table, &answer, err);
    if (!rc) {
        rc = read_ttl(buf_view(&answer), arena, out, err);
    } else if (rc == RC_USAGE && strstr(err->msg, "UnknownOperationException")) {
        rc = RC_OK; /* emulators lack the call */
    }
    buf_release(&answer);
    return rc;
}

static enum dynamodb_pitr read_pitr(struct str json)
{
    yyjson_doc *doc = json.n ? yyjson_read(json.p, json.n, 0) : NULL;
    yyjson_val *all = yyjson_obj_get(yyjson_doc_get_root(doc), "ContinuousBackupsDescription");
    yyjson_val *pitr = yyjson_obj_get(all, "PointInTimeRecoveryDescription");
    enum dynamodb_pitr out = DDB_PITR_UNKNOWN;
    if (is(pitr, "PointInTimeRecoveryStatus", "ENABLED")) {
        out = DDB_PITR_ON;
    } else if (all) {
        out = DDB_PITR_OFF;
    }
    yyjson_doc_free(doc);
    return out;
}

enum rc dynamodb_table_pitr(struct dynamodb *d, struct str table, enum dynamodb_pitr *out,
                            struct err *err)
{
    struct buf answer;
    buf_init(&answer, BUF_NO_LIMIT);
    *out = DDB_PITR_UNKNOWN;
    enum rc rc = ask(d, "DescribeContinuousBackups", "ContinuousBackupsDescription", table,
                     &answer, err);
    if (!rc) {
        *out = read_pitr(buf_view(&answer));
    } else if (rc == RC_AUTH || rc == RC_USAGE) {
        err_clear(err); /* not allowed to ask, or an emulator that lacks the call */
        rc = RC_OK;
    }
    buf_release(&answer);
    return rc;
}

const struct dynamodb_index *dynamodb_table_index(const struct dynamodb_table *t,
                                                  struct str name)
{
    for (size_t i = 0; i < t->n_indexes; i++) {
        if (str_eq(t->indexes[i].name, name))
            return &t->indexes[i];
    }
    return NULL;
}
