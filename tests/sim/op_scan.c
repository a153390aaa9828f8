/* SPDX-License-Identifier: MIT */
/*
 * Scan: a page of a segment in hash order. A page ends at Limit items or before the item that
 * would pass the page's bytes; it then has a LastEvaluatedKey even if nothing follows. An empty
 * page made by a fault leads to where the page would have begun, by a key of its own.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/sim/av.h"
#include "tests/sim/expr.h"
#include "tests/sim/gsi.h"
#include "tests/sim/op.h"
#include "tests/sim/sim.h"

struct page {
    uint64_t segment, total, limit;
    size_t from, to; /* items of the segment that are left */
    size_t end;      /* one after the last item evaluated */
    size_t scanned;
    yyjson_val *index; /* description of the index, or NULL */
    uint64_t bytes, count;
    bool more;
    yyjson_val *start; /* the key it begins behind, or NULL */
    bool fetches;      /* a local index is asked for what only the table has */
};

static bool whole(const struct op_call *c, const char *name, uint64_t low, uint64_t high,
                  uint64_t *out)
{
    yyjson_val *v = yyjson_obj_get(c->root, name);
    if (!v)
        return true;
    *out = yyjson_get_uint(v);
    return yyjson_is_uint(v) && *out >= low && *out <= high;
}

static bool read_page(const struct op_call *c, struct page *p, struct reply *r)
{
    *p = (struct page){.total = 1, .limit = UINT64_MAX};
    bool has_segment = yyjson_obj_get(c->root, "Segment") != NULL;
    bool has_total = yyjson_obj_get(c->root, "TotalSegments") != NULL;
    if (has_segment != has_total) {
        reply_invalid(r,
                      "The %s parameter is required but was not present in the request when "
                      "%s parameter is present",
                      has_total ? "Segment" : "TotalSegments",
                      has_total ? "TotalSegments" : "Segment");
    } else if (!whole(c, "TotalSegments", 1, 1000000, &p->total) ||
               !whole(c, "Segment", 0, 999999, &p->segment) ||
               !whole(c, "Limit", 1, UINT32_MAX, &p->limit)) {
        reply_invalid(r, "1 validation error detected: a value failed to satisfy constraint");
    } else if (p->segment >= p->total) {
        reply_invalid(r,
                      "The Segment parameter is zero-based and must be less than parameter "
                      "TotalSegments: Segment: %llu is not less than TotalSegments: %llu",
                      (unsigned long long)p->segment, (unsigned long long)p->total);
    }
    return r->status == 200;
}

/* Moves p->from behind the ExclusiveStartKey. */
static bool seek(const struct sim *s, const struct op_call *c, struct page *p, struct reply *r)
{
    yyjson_val *esk = yyjson_obj_get(c->root, "ExclusiveStartKey");
    table_segment(&s->table, p->segment, p->total, &p->from, &p->to);
    if (esk && aside_find(&s->aside, yyjson_obj_get(esk, s->table.pk), &p->start))
        esk = p->start;
    p->start = esk;
    if (!esk)
        return true;
    struct table_key key;
    bool ok = table_key_read(&s->table, esk, &key) &&
              (p->index || yyjson_obj_size(esk) == (s->table.sk ? 2u : 1u));
    if (!ok) {
        reply_invalid(r, "The provided starting key is invalid");
    } else if (table_part(key.hash, p->total) != p->segment) {
        reply_invalid(
            r,
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please "
            "use ExclusiveStartKey with correct Segment. TotalSegments: %llu Segment: "
            "%llu",
            (unsigned long long)p->total, (unsigned long long)p->segment);
        ok = false;
    } else {
        bool found;
        size_t at = table_find(&s->table, &key, &found);
        p->from = found ? at + 1 : at;
    }
    table_key_release(&key);
    return ok;
}

/* Without an index every item counts; with one, those that have its keys. */
static bool evaluated(const struct page *p, const struct item *it)
{
    if (!p->index)
        return true;
    struct str text = table_json(it);
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    bool has = gsi_has_keys(p->index, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return has;
}

static void evaluate(const struct sim *s, struct page *p)
{
    uint64_t max = (uint64_t)s->opt.page_bytes;
    p->end = p->from;
    for (size_t i = p->from; i < p->to && !p->more; i++) {
        uint64_t size = s->table.items[i]->size;
        if (!evaluated(p, s->table.items[i]))
            continue;
        bool over = p->bytes + size > max;
        if (over && p->scanned && !s->opt.page_over) {
            p->more = true;
            break;
        }
        p->bytes += size;
        p->scanned++;
        p->end = i + 1;
        p->more = over || p->scanned >= p->limit;
    }
}

static void add_mut(struct buf *out, yyjson_mut_val *v)
{
    size_t len = 0;
    char *json = yyjson_mut_val_write(v, 0, &len);
    buf_add(out, json, len);
    free(json);
}

/* One item after filter and projection; false if the filter drops it. */
static bool add_shaped(const struct sim *s, const struct op_call *c, const struct page *p,
                       const struct item *it, struct lex_scope *scope, struct buf *out)
{
    struct str text = table_json(it);
    struct str filter = op_text(c, "FilterExpression");
    struct str project = op_text(c, "ProjectionExpression");
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_mut_doc *shaped = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *target = yyjson_mut_obj(shaped);
    scope->item = yyjson_doc_get_root(doc);
    bool keep = filter.n == 0 || expr_condition(scope, filter);
    bool changed = project.n > 0;
    if (changed) {
        expr_project(scope, project, shaped, target);
    } else if (p->index) {
        changed = gsi_project(p->index, &s->table, scope->item, shaped, target);
    }
    if (keep && changed) {
        add_mut(out, target);
    } else if (keep) {
        buf_add_str(out, text);
    }
    yyjson_mut_doc_free(shaped);
    yyjson_doc_free(doc);
    return keep;
}

static void add_items(const struct sim *s, const struct op_call *c, struct page *p,
                      struct lex_scope *scope, struct buf *out)
{
    bool plain = !p->index && op_text(c, "FilterExpression").n == 0 &&
                 op_text(c, "ProjectionExpression").n == 0;
    for (size_t i = p->from; i < p->end; i++) {
        const struct item *it = s->table.items[i];
        size_t before = out->len;
        if (!evaluated(p, it))
            continue;
        if (p->count)
            buf_putc(out, ',');
        bool keep = true;
        if (plain) {
            buf_add_str(out, table_json(it));
        } else {
            keep = add_shaped(s, c, p, it, scope, out);
        }
        if (keep) {
            p->count++;
        } else {
            out->len = before;
        }
    }
}

static void add_item_key(const struct sim *s, const struct page *p, const struct item *it,
                         struct buf *out)
{
    table_add_key(&s->table, it, out);
    if (!p->index)
        return;
    struct str text = table_json(it);
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    out->len--;
    gsi_add_keys(p->index, &s->table, yyjson_doc_get_root(doc), out);
    buf_putc(out, '}');
    yyjson_doc_free(doc);
}

/* The sort key and the index's keys are those of the item that follows. */
static void add_new_key(struct sim *s, const struct page *p, struct buf *out)
{
    const struct table *t = &s->table;
    struct str text = table_json(t->items[p->from]);
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *item = yyjson_doc_get_root(doc);
    buf_addf(out, "{\"%s\":", t->pk);
    aside_add(&s->aside, t->pk_type, p->start, out);
    if (t->sk) {
        char *sk = yyjson_val_write(yyjson_obj_get(item, t->sk), 0, NULL);
        buf_addf(out, ",\"%s\":%s", t->sk, sk);
        free(sk);
    }
    if (p->index)
        gsi_add_keys(p->index, t, item, out);
    buf_putc(out, '}');
    yyjson_doc_free(doc);
}

static void add_last_key(struct sim *s, const struct page *p, struct buf *out)
{
    buf_puts(out, ",\"LastEvaluatedKey\":");
    if (p->end > p->from) {
        add_item_key(s, p, s->table.items[p->end - 1], out);
    } else {
        add_new_key(s, p, out);
    }
}

static void add_units(const struct op_call *c, const struct page *p, double units,
                      struct buf *out)
{
    char member[400];
    if (!p->index) {
        op_add_capacity(c, units, ",", out);
        return;
    }
    (void)snprintf(member, sizeof member, "\"%s\":{\"CapacityUnits\":%.1f}",
                   yyjson_get_str(yyjson_obj_get(p->index, "IndexName")), units);
    op_add_write_capacity(c, 0, units, str_of(member), ",", out);
}

static void render(struct sim *s, const struct op_call *c, struct page *p, struct reply *r)
{
    struct lex_scope scope = op_scope(c);
    bool count_only = str_is(op_text(c, "Select"), "COUNT");
    buf_puts(&r->body, "{\"Items\":[");
    add_items(s, c, p, &scope, &r->body);
    if (count_only) {
        r->body.len = 1;
    } else {
        buf_puts(&r->body, "],");
    }
    if (p->scanned)
        lex_check_used(&scope);
    if (scope.error[0]) {
        reply_invalid(r, "%s", scope.error);
        return;
    }
    double units = op_read_units(c, p->bytes);
    if (p->fetches)
        units += (double)p->scanned * op_read_units(c, 1);
    uint64_t hash = p->from < p->to ? s->table.items[p->from]->hash
                                    : ((p->segment << 32) / p->total + 1) << 32;
    sim_charge(s, hash, false, units, r);
    buf_addf(&r->body, "\"Count\":%llu,\"ScannedCount\":%zu", (unsigned long long)p->count,
             p->scanned);
    add_units(c, p, units, &r->body);
    if (p->more)
        add_last_key(s, p, &r->body);
    buf_putc(&r->body, '}');
}

static bool find_index(const struct sim *s, const struct op_call *c, struct page *p,
                       struct reply *r)
{
    struct str name = op_text(c, "IndexName");
    if (name.n == 0)
        return true;
    p->index = gsi_find(s->describe, name);
    bool strong = yyjson_get_bool(yyjson_obj_get(c->root, "ConsistentRead"));
    if (!p->index) {
        reply_invalid(r, "The table does not have the specified index: %.*s", STR_FMT(name));
    } else if (strong && gsi_is_global(s->describe, p->index)) {
        reply_invalid(r, "Consistent reads are not supported on global secondary indexes");
    }
    return r->status == 200;
}

/* A global index refuses names that it does not project; a local one has each item fetched. */
static bool check_projection(const struct sim *s, const struct op_call *c, struct page *p,
                             struct reply *r)
{
    struct lex l;
    struct lex_scope scope = op_scope(c);
    struct str text = op_text(c, "ProjectionExpression");
    if (!p->index || text.n == 0)
        return true;
    lex_init(&l, &scope, text);
    do {
        struct str name = lex_attribute(&l);
        if (gsi_holds(p->index, &s->table, name))
            continue;
        p->fetches = true;
        if (gsi_is_global(s->describe, p->index)) {
            reply_invalid(r,
                          "One or more parameter values were invalid: Global secondary index "
                          "%s does not project [%.*s]",
                          yyjson_get_str(yyjson_obj_get(p->index, "IndexName")), STR_FMT(name));
            return false;
        }
    } while (lex_take(&l, ","));
    return true;
}

void op_scan(struct sim *s, const struct op_call *c, struct reply *r)
{
    struct page p;
    s->stats.scans++;
    if (!read_page(c, &p, r))
        return;
    if (s->opt.canned) {
        canned_scan(&s->canned, s, c, r);
        return;
    }
    if (!find_index(s, c, &p, r) || !check_projection(s, c, &p, r) || !seek(s, c, &p, r))
        return;
    uint64_t hash = p.from < p.to ? s->table.items[p.from]->hash : 0;
    if (p.from < p.to && !sim_admit(s, hash, false, r))
        return;
    while (p.from < p.to && !evaluated(&p, s->table.items[p.from]))
        p.from++;
    p.end = p.from;
    if (s->empty_page && p.from < p.to) {
        p.more = true;
    } else {
        evaluate(s, &p);
    }
    render(s, c, &p, r);
}
