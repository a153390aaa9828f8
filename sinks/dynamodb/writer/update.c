/* SPDX-License-Identifier: MIT */
/*
 * The condition holds the item to what was read: it exists, and every attribute that was looked
 * at or will be written still has its old value. So a write that comes late, twice, or after a
 * change of the application's does nothing. Values are compared by the service, by value.
 */
#include "sinks/dynamodb/writer/update.h"

#include <math.h>
#include <stdlib.h>
#include <yyjson.h>

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/base/json.h"
#include "pipeline/item/canon.h"

/* ---- the key ------------------------------------------------------------------------------- */

/* Numbers and bytes have a canonical text in the decoded item; the key wants the one that came. */
static enum rc add_as_it_came(struct buf *out, const struct item *item, struct str name,
                              const char *tag, struct err *err)
{
    yyjson_doc *doc = yyjson_read(item->raw.p, item->raw.n, 0);
    yyjson_val *v = yyjson_obj_getn(yyjson_doc_get_root(doc), name.p, name.n);
    yyjson_val *text = yyjson_obj_get(v, tag);
    if (yyjson_is_str(text)) {
        buf_addf(out, "{\"%s\":", tag);
        json_add_string(out, str_make(yyjson_get_str(text), yyjson_get_len(text)));
        buf_putc(out, '}');
    }
    bool found = yyjson_is_str(text);
    yyjson_doc_free(doc);
    return found ? RC_OK
                 : err_set(err, RC_SOURCE, "the key attribute \"%.*s\" cannot be found again",
                           STR_FMT(name));
}

enum rc update_key(struct buf *out, const struct item *item, const struct names *key,
                   struct err *err)
{
    enum rc rc = RC_OK;
    bool first = true;
    buf_putc(out, '{');
    for (uint32_t i = 0; i < key->n && !rc; i++) {
        const struct val *v = item_get(item, key->v[i]);
        if (!v)
            continue;
        if (!first)
            buf_putc(out, ',');
        first = false;
        json_add_string(out, key->v[i]);
        buf_putc(out, ':');
        if (v->kind == VAL_N || v->kind == VAL_B) {
            rc = add_as_it_came(out, item, key->v[i], value_kind_name(v->kind), err);
        } else {
            canon_ddb(out, v);
        }
    }
    buf_putc(out, '}');
    return rc ? rc : buf_check(out, err);
}

/* ---- the request --------------------------------------------------------------------------- */

/* The parts of an expression under construction, in one pass each over the change. */
struct texts {
    struct buf *out;
    bool first; /* in the list that is being written */
};

static bool same(const struct setting *s)
{
    if (!s->old || !s->new_)
        return s->old == s->new_;
    return value_eq(s->old, s->new_);
}

static void comma(struct texts *t)
{
    if (!t->first)
        buf_puts(t->out, ", ");
    t->first = false;
}

/* Decimal, by hand: an update has dozens of these, and printf was a sixth of its cost. */
static void add_count(struct buf *b, uint32_t n)
{
    char digits[10];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    buf_add(b, digits + at, sizeof digits - at);
}

/* ":r3", the alias of a value. */
static void add_token(struct buf *b, char group, uint32_t i)
{
    buf_putc(b, ':');
    buf_putc(b, group);
    add_count(b, i);
}

/* "#r3_1", the alias of one member of a path. */
static void add_member(struct buf *b, char group, uint32_t i, uint32_t m)
{
    buf_putc(b, '#');
    buf_putc(b, group);
    add_count(b, i);
    buf_putc(b, '_');
    add_count(b, m);
}

static void add_alias(struct buf *b, char group, uint32_t i, const struct path *path)
{
    for (uint32_t m = 0; m < path->n; m++) {
        if (m)
            buf_putc(b, '.');
        add_member(b, group, i, m);
    }
}

static void add_actions(struct buf *b, const struct change *c)
{
    struct texts t = {b, true};
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (same(&c->targets[i]) || !c->targets[i].new_)
            continue;
        if (t.first)
            buf_puts(b, "SET ");
        comma(&t);
        add_alias(b, 't', i, &c->targets[i].path);
        buf_puts(b, " = ");
        add_token(b, 'n', i);
    }
    bool any = !t.first;
    t.first = true;
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (same(&c->targets[i]) || c->targets[i].new_)
            continue;
        if (t.first)
            buf_puts(b, any ? " REMOVE " : "REMOVE ");
        comma(&t);
        add_alias(b, 't', i, &c->targets[i].path);
    }
}

static void add_tests(struct buf *b, char group, const struct setting *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(b, v[i].old ? " AND " : " AND attribute_not_exists(");
        add_alias(b, group, i, &v[i].path);
        if (v[i].old) {
            buf_puts(b, " = ");
            add_token(b, group, i);
        } else {
            buf_putc(b, ')');
        }
    }
}

static void add_names(struct texts *t, char group, const struct setting *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t m = 0; m < v[i].path.n; m++) {
            buf_puts(t->out, ",\"");
            add_member(t->out, group, i, m);
            buf_puts(t->out, "\":");
            json_add_string(t->out, v[i].path.members[m]);
        }
    }
}

static void add_value(struct texts *t, char group, uint32_t i, const struct val *v)
{
    comma(t);
    buf_putc(t->out, '"');
    add_token(t->out, group, i);
    buf_puts(t->out, "\":");
    canon_ddb(t->out, v);
}

static void add_values(struct texts *t, const struct change *c)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (c->targets[i].old)
            add_value(t, 't', i, c->targets[i].old);
        if (c->targets[i].new_ && !same(&c->targets[i]))
            add_value(t, 'n', i, c->targets[i].new_);
    }
    for (uint32_t i = 0; i < c->nreads; i++) {
        if (c->reads[i].old)
            add_value(t, 'r', i, c->reads[i].old);
    }
}

static bool has_values(const struct change *c)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        if (c->targets[i].old || c->targets[i].new_)
            return true;
    }
    for (uint32_t i = 0; i < c->nreads; i++) {
        if (c->reads[i].old)
            return true;
    }
    return false;
}

static void add_head(struct buf *out, struct str table, struct str key)
{
    buf_puts(out, "{\"TableName\":");
    json_add_string(out, table);
    buf_puts(out, ",\"Key\":");
    buf_add_str(out, key);
}

void update_condition(struct buf *out, const struct change *c)
{
    buf_puts(out, "attribute_exists(#p)");
    add_tests(out, 't', c->targets, c->ntargets);
    add_tests(out, 'r', c->reads, c->nreads);
}

void update_write(struct buf *out, struct str table, struct str pk, struct str key,
                  const struct change *c)
{
    struct texts t = {out, true};
    add_head(out, table, key);
    buf_puts(out, ",\"UpdateExpression\":\"");
    add_actions(out, c);
    buf_puts(out, "\",\"ConditionExpression\":\"");
    update_condition(out, c);
    buf_puts(out, "\",\"ExpressionAttributeNames\":{\"#p\":");
    json_add_string(out, pk);
    add_names(&t, 't', c->targets, c->ntargets);
    add_names(&t, 'r', c->reads, c->nreads);
    buf_putc(out, '}');
    if (has_values(c)) {
        buf_puts(out, ",\"ExpressionAttributeValues\":{");
        add_values(&t, c);
        buf_putc(out, '}');
    }
    buf_puts(out, ",\"ReturnConsumedCapacity\":\"INDEXES\","
                  "\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"}");
}

void update_read(struct buf *out, struct str table, struct str key)
{
    add_head(out, table, key);
    buf_puts(out, ",\"ConsistentRead\":true,\"ReturnConsumedCapacity\":\"TOTAL\"}");
}

/* ---- the answer ---------------------------------------------------------------------------- */

static int64_t units(yyjson_val *v)
{
    yyjson_val *n = yyjson_obj_get(v, "CapacityUnits");
    double d = yyjson_is_num(n) ? yyjson_get_num(n) : -1;
    return d >= 0 && d < 1e9 ? llround(d * (double)BUDGET_UNIT) : -1;
}

static int64_t sum_units(yyjson_val *indexes)
{
    int64_t sum = 0;
    yyjson_obj_iter it;
    yyjson_obj_iter_init(indexes, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        int64_t one = units(yyjson_obj_iter_get_val(key));
        sum += one > 0 ? one : 0;
    }
    return sum;
}

static void read_capacity(yyjson_val *capacity, struct update_answer *out)
{
    yyjson_val *table = yyjson_obj_get(capacity, "Table");
    out->total = units(capacity);
    out->table = table ? units(table) : out->total;
    out->indexes = sum_units(yyjson_obj_get(capacity, "GlobalSecondaryIndexes"));
    if (table && out->table >= 0) /* local ones live on the table's capacity */
        out->table += sum_units(yyjson_obj_get(capacity, "LocalSecondaryIndexes"));
}

enum rc update_answer_read(struct buf *item, struct str json, struct update_answer *out,
                           struct err *err)
{
    *out = (struct update_answer){.table = -1, .total = -1};
    yyjson_doc *doc = yyjson_read(json.p, json.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    if (!yyjson_is_obj(root)) {
        yyjson_doc_free(doc);
        return err_set(err, RC_TRANSIENT, "an answer that is no JSON object");
    }
    read_capacity(yyjson_obj_get(root, "ConsumedCapacity"), out);
    yyjson_val *v = yyjson_obj_get(root, "Item");
    size_t n = 0;
    char *text = v ? yyjson_val_write(v, 0, &n) : NULL;
    buf_clear(item);
    if (text)
        buf_add(item, text, n);
    out->item = text != NULL;
    free(text);
    yyjson_doc_free(doc);
    return v && !text ? err_nomem(err) : buf_check(item, err);
}
