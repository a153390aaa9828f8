/* SPDX-License-Identifier: MIT */
/* Describing the table. Members given by --describe replace or join what is made up here. */
#include <stdlib.h>

#include "pipeline/base/json.h"
#include "tests/sim/op.h"
#include "tests/sim/sim.h"

static void add_key_schema(struct buf *b, const struct table *t)
{
    buf_puts(b, "\"KeySchema\":[{\"AttributeName\":");
    json_add_string(b, str_of(t->pk));
    buf_puts(b, ",\"KeyType\":\"HASH\"}");
    if (t->sk) {
        buf_puts(b, ",{\"AttributeName\":");
        json_add_string(b, str_of(t->sk));
        buf_puts(b, ",\"KeyType\":\"RANGE\"}");
    }
    buf_puts(b, "],\"AttributeDefinitions\":[{\"AttributeName\":");
    json_add_string(b, str_of(t->pk));
    buf_addf(b, ",\"AttributeType\":\"%c\"}", t->pk_type ? t->pk_type : 'S');
    if (t->sk) {
        buf_puts(b, ",{\"AttributeName\":");
        json_add_string(b, str_of(t->sk));
        buf_addf(b, ",\"AttributeType\":\"%c\"}", t->sk_type ? t->sk_type : 'S');
    }
    buf_putc(b, ']');
}

static void add_capacity(struct buf *b, const struct opt *o)
{
    long long rcu = o->on_demand ? 0 : (long long)o->rcu;
    long long wcu = o->on_demand ? 0 : (long long)o->wcu;
    buf_addf(
        b,
        "\"ProvisionedThroughput\":{\"NumberOfDecreasesToday\":0,\"ReadCapacityUnits\":%lld,"
        "\"WriteCapacityUnits\":%lld},",
        rcu, wcu);
    if (o->on_demand)
        buf_puts(b, "\"BillingModeSummary\":{\"BillingMode\":\"PAY_PER_REQUEST\"},");
    buf_addf(b,
             "\"WarmThroughput\":{\"ReadUnitsPerSecond\":%lld,\"WriteUnitsPerSecond\":%lld,"
             "\"Status\":\"ACTIVE\"},",
             (long long)o->warm_rcu, (long long)o->warm_wcu);
}

/* The description without overrides. */
static void describe(const struct sim *s, struct buf *b)
{
    const struct opt *o = &s->opt;
    long long items = o->report_items >= 0 ? o->report_items
                      : o->canned          ? (long long)s->canned.total_items
                                           : (long long)s->table.n;
    long long bytes = o->report_bytes >= 0 ? o->report_bytes
                      : o->canned          ? (long long)s->canned.total_bytes
                                           : (long long)s->table.bytes;
    buf_puts(b, "{\"TableName\":");
    json_add_string(b, str_of(o->table));
    buf_addf(b, ",\"TableArn\":\"%s\",\"TableId\":\"5a3e0000-0000-4000-8000-%012u\",", s->arn,
             s->incarnation);
    buf_puts(b, "\"TableStatus\":\"ACTIVE\",\"CreationDateTime\":1.7E9,"
                "\"DeletionProtectionEnabled\":false,");
    add_capacity(b, o);
    buf_addf(b, "\"ItemCount\":%lld,\"TableSizeBytes\":%lld,", items, bytes);
    add_key_schema(b, &s->table);
    buf_putc(b, '}');
}

/* Members of `more` win. */
static void merge(struct buf *b, yyjson_doc *more)
{
    yyjson_doc *base = yyjson_read(b->p, b->len, 0);
    yyjson_mut_doc *doc = yyjson_doc_mut_copy(base, NULL);
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    yyjson_obj_iter it = yyjson_obj_iter_with(yyjson_doc_get_root(more));
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it)) {
        (void)yyjson_mut_obj_put(root, yyjson_val_mut_copy(doc, k),
                                 yyjson_val_mut_copy(doc, yyjson_obj_iter_get_val(k)));
    }
    size_t len = 0;
    char *text = yyjson_mut_write(doc, 0, &len);
    buf_clear(b);
    buf_add(b, text, len);
    free(text);
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(base);
}

void op_describe_table(struct sim *s, const struct op_call *c, struct reply *r)
{
    (void)c;
    struct buf b;
    buf_init(&b, 1 << 20);
    describe(s, &b);
    if (s->describe)
        merge(&b, s->describe);
    buf_puts(&r->body, "{\"Table\":");
    buf_add_str(&r->body, buf_view(&b));
    buf_putc(&r->body, '}');
    buf_release(&b);
    s->stats.describes++;
}

void op_describe_ttl(struct sim *s, const struct op_call *c, struct reply *r)
{
    (void)c;
    buf_addf(&r->body, "{\"TimeToLiveDescription\":{\"TimeToLiveStatus\":\"%s\"",
             s->opt.ttl ? "ENABLED" : "DISABLED");
    if (s->opt.ttl) {
        buf_puts(&r->body, ",\"AttributeName\":");
        json_add_string(&r->body, str_of(s->opt.ttl));
    }
    buf_puts(&r->body, "}}");
}

void op_describe_backups(struct sim *s, const struct op_call *c, struct reply *r)
{
    (void)c;
    buf_addf(&r->body,
             "{\"ContinuousBackupsDescription\":{\"ContinuousBackupsStatus\":\"ENABLED\","
             "\"PointInTimeRecoveryDescription\":{\"PointInTimeRecoveryStatus\":\"%s\"}}}",
             s->opt.pitr ? "ENABLED" : "DISABLED");
}

void op_describe_limits(struct sim *s, const struct op_call *c, struct reply *r)
{
    (void)s;
    (void)c;
    buf_puts(&r->body,
             "{\"AccountMaxReadCapacityUnits\":80000,\"AccountMaxWriteCapacityUnits\":80000,"
             "\"TableMaxReadCapacityUnits\":40000,\"TableMaxWriteCapacityUnits\":40000}");
}

void op_list_tables(struct sim *s, const struct op_call *c, struct reply *r)
{
    (void)c;
    buf_puts(&r->body, "{\"TableNames\":[");
    if (!s->deleted)
        json_add_string(&r->body, str_of(s->opt.table));
    buf_puts(&r->body, "]}");
}
