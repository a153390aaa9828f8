/* SPDX-License-Identifier: MIT */
/* Tables and columns are named by their numbers, as in the structs; types by their names. */
#include "pipeline/row/schema_json.h"

#include <yyjson.h>

#include "pipeline/base/json.h"
#include "pipeline/item/cast/column_type.h"

static void add_numbers(struct buf *b, const char *name, const uint32_t *v, uint32_t n)
{
    buf_addf(b, ",\"%s\":[", name);
    for (uint32_t i = 0; i < n; i++)
        buf_addf(b, "%s%u", i ? "," : "", v[i]);
    buf_putc(b, ']');
}

static void add_text(struct buf *b, const char *name, struct str text)
{
    if (!text.n)
        return;
    buf_addf(b, ",\"%s\":", name);
    json_add_string(b, text);
}

static void add_column(struct buf *b, const struct column *c)
{
    buf_puts(b, "{\"name\":");
    json_add_string(b, c->name);
    buf_addf(b, ",\"type\":\"%s\"%s%s%s", column_type_name(c->type),
             c->not_null ? ",\"not_null\":true" : "", c->key ? ",\"key\":true" : "",
             c->extra ? ",\"extra\":true" : "");
    add_text(b, "from", c->from);
    buf_putc(b, '}');
}

static void add_table(struct buf *b, const struct table *t)
{
    buf_puts(b, "{\"name\":");
    json_add_string(b, t->name);
    buf_addf(b, ",\"kind\":%d", (int)t->kind);
    if (t->parent != UINT32_MAX)
        buf_addf(b, ",\"parent\":%u", t->parent);
    add_text(b, "comment", t->comment);
    add_numbers(b, "key", t->key, t->nkey);
    buf_puts(b, ",\"columns\":[");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        buf_puts(b, i ? "," : "");
        add_column(b, &t->columns[i]);
    }
    buf_puts(b, "],\"references\":[");
    for (uint32_t i = 0; i < t->nreferences; i++) {
        const struct reference *r = &t->references[i];
        buf_addf(b, "%s{\"to\":%u", i ? "," : "", r->to);
        add_numbers(b, "columns", r->columns, r->n);
        add_numbers(b, "to_columns", r->to_columns, r->n);
        buf_putc(b, '}');
    }
    buf_puts(b, "]}");
}

void schema_json_write(struct buf *b, const struct schema *s)
{
    buf_puts(b, "{\"name\":");
    json_add_string(b, s->name);
    buf_puts(b, ",\"tables\":[");
    for (uint32_t i = 0; i < s->ntables; i++) {
        buf_puts(b, i ? "," : "");
        add_table(b, &s->tables[i]);
    }
    buf_puts(b, "],\"extracts\":[");
    for (uint32_t i = 0; i < s->nextracts; i++) {
        const struct extract *x = &s->extracts[i];
        buf_addf(b, "%s{\"into\":%u,\"rule\":%d", i ? "," : "", x->into, (int)x->rule);
        if (x->conflict != UINT32_MAX)
            buf_addf(b, ",\"conflict\":%u", x->conflict);
        add_numbers(b, "columns", x->columns, x->ncolumns);
        buf_putc(b, '}');
    }
    buf_puts(b, "]}");
}

/* A text that is being read; whatever is not as it was written makes it bad. */
struct reading {
    struct arena *arena;
    bool bad;
    bool nomem;
};

static struct str get_text(struct reading *r, yyjson_val *v, const char *name)
{
    yyjson_val *text = yyjson_obj_get(v, name);
    struct str s = arena_dup(r->arena, str_make(yyjson_get_str(text), yyjson_get_len(text)));
    r->nomem = r->nomem || (yyjson_get_len(text) && !s.p);
    return s;
}

/* A number below `limit`. */
static uint32_t number(struct reading *r, yyjson_val *v, size_t limit)
{
    uint64_t n = yyjson_get_uint(v);
    r->bad = r->bad || !yyjson_is_uint(v) || n >= limit;
    return r->bad ? 0 : (uint32_t)n;
}

static uint32_t *get_numbers(struct reading *r, yyjson_val *list, size_t limit, uint32_t *n)
{
    uint32_t *v = arena_array(r->arena, yyjson_arr_size(list) + 1, sizeof *v);
    yyjson_val *one;
    size_t i, max;
    *n = 0;
    r->nomem = r->nomem || !v;
    yyjson_arr_foreach(list, i, max, one)
    {
        if (v)
            v[(*n)++] = number(r, one, limit);
    }
    return v;
}

static void *get_array(struct reading *r, yyjson_val *list, size_t size, uint32_t *n)
{
    void *v = arena_array(r->arena, yyjson_arr_size(list) + 1, size);
    r->bad = r->bad || !yyjson_is_arr(list);
    r->nomem = r->nomem || !v;
    *n = v ? (uint32_t)yyjson_arr_size(list) : 0;
    return v;
}

static void read_columns(struct reading *r, yyjson_val *list, struct table *t)
{
    yyjson_val *v;
    size_t i, max;
    t->columns = get_array(r, list, sizeof *t->columns, &t->ncolumns);
    yyjson_arr_foreach(list, i, max, v)
    {
        if (!t->columns)
            return;
        struct column *c = &t->columns[i];
        *c = (struct column){.name = get_text(r, v, "name"),
                             .not_null = yyjson_get_bool(yyjson_obj_get(v, "not_null")),
                             .key = yyjson_get_bool(yyjson_obj_get(v, "key")),
                             .extra = yyjson_get_bool(yyjson_obj_get(v, "extra")),
                             .from = get_text(r, v, "from")};
        yyjson_val *type = yyjson_obj_get(v, "type");
        struct str name = str_make(yyjson_get_str(type), yyjson_get_len(type));
        r->bad = r->bad || !c->name.n || !column_type_parse(name, &c->type);
    }
}

/* Columns of the other side are checked when all tables are known. */
static void read_references(struct reading *r, yyjson_val *list, size_t ntables,
                            struct table *t)
{
    yyjson_val *v;
    size_t i, max;
    t->references = get_array(r, list, sizeof *t->references, &t->nreferences);
    yyjson_arr_foreach(list, i, max, v)
    {
        if (!t->references)
            return;
        struct reference *ref = &t->references[i];
        uint32_t n = 0;
        *ref = (struct reference){.to = number(r, yyjson_obj_get(v, "to"), ntables)};
        ref->columns = get_numbers(r, yyjson_obj_get(v, "columns"), t->ncolumns, &ref->n);
        ref->to_columns = get_numbers(r, yyjson_obj_get(v, "to_columns"), UINT32_MAX, &n);
        r->bad = r->bad || n != ref->n || !n;
    }
}

static void read_tables(struct reading *r, yyjson_val *list, struct schema *s)
{
    yyjson_val *v;
    size_t i, max;
    s->tables = get_array(r, list, sizeof *s->tables, &s->ntables);
    yyjson_arr_foreach(list, i, max, v)
    {
        if (!s->tables)
            return;
        struct table *t = &s->tables[i];
        yyjson_val *parent = yyjson_obj_get(v, "parent");
        *t = (struct table){
            .name = get_text(r, v, "name"),
            .comment = get_text(r, v, "comment"),
            .kind = (enum table_kind)number(r, yyjson_obj_get(v, "kind"), TABLE_CONFLICT + 1),
            .parent = parent ? number(r, parent, s->ntables) : UINT32_MAX};
        r->bad = r->bad || !t->name.n;
        read_columns(r, yyjson_obj_get(v, "columns"), t);
        t->key = get_numbers(r, yyjson_obj_get(v, "key"), t->ncolumns, &t->nkey);
        read_references(r, yyjson_obj_get(v, "references"), s->ntables, t);
    }
}

static void check_references(struct reading *r, const struct schema *s)
{
    for (uint32_t i = 0; i < s->ntables && !r->bad; i++) {
        for (uint32_t k = 0; k < s->tables[i].nreferences; k++) {
            const struct reference *ref = &s->tables[i].references[k];
            for (uint32_t c = 0; c < ref->n && !r->bad; c++)
                r->bad = ref->to_columns[c] >= s->tables[ref->to].ncolumns;
        }
    }
}

static void read_extracts(struct reading *r, yyjson_val *list, struct schema *s)
{
    yyjson_val *v;
    size_t i, max;
    s->extracts = get_array(r, list, sizeof *s->extracts, &s->nextracts);
    yyjson_arr_foreach(list, i, max, v)
    {
        if (!s->extracts || r->bad)
            return;
        struct extract *x = &s->extracts[i];
        yyjson_val *conflict = yyjson_obj_get(v, "conflict");
        *x = (struct extract){
            .into = number(r, yyjson_obj_get(v, "into"), s->ntables),
            .conflict = conflict ? number(r, conflict, s->ntables) : UINT32_MAX,
            .rule =
                (enum extract_rule)number(r, yyjson_obj_get(v, "rule"), EXTRACT_MIRROR + 1)};
        x->columns = get_numbers(r, yyjson_obj_get(v, "columns"),
                                 s->ntables ? s->tables[x->into].ncolumns : 0, &x->ncolumns);
    }
}

enum rc schema_json_read(struct str text, struct arena *a, struct schema *out, struct err *err)
{
    struct reading r = {.arena = a};
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    *out = (struct schema){.name = get_text(&r, root, "name")};
    read_tables(&r, yyjson_obj_get(root, "tables"), out);
    if (!r.bad && !r.nomem)
        check_references(&r, out);
    if (!r.bad && !r.nomem)
        read_extracts(&r, yyjson_obj_get(root, "extracts"), out);
    yyjson_doc_free(doc);
    if (r.nomem)
        return err_nomem(err);
    return r.bad ? err_set(err, RC_SINK, "the description of its tables cannot be read")
                 : RC_OK;
}
