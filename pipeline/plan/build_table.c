/* SPDX-License-Identifier: MIT */
/* Tables and columns as they come up; two entities may share a table if they agree. */
#include "pipeline/plan/plan_private.h"

#include "pipeline/base/json.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/row/row_width.h"

uint32_t build_table(struct planner *p, struct str name, enum table_kind kind)
{
    uint32_t at = plan_table_find(p, name);
    if (at != UINT32_MAX) {
        if (kind < p->tables[at].kind && p->tables[at].kind == TABLE_EXTRACT)
            p->tables[at].kind = kind;
        return at;
    }
    struct table *v = plan_append(p, p->tables, p->ntables, &p->cap_tables, sizeof *v);
    if (!v || map_put(&p->table_at, name, p->ntables)) {
        p->rc = RC_NOMEM;
        return UINT32_MAX;
    }
    p->tables = v;
    v[p->ntables] = (struct table){.name = name, .kind = kind, .parent = UINT32_MAX};
    return p->ntables++;
}

uint32_t build_column_find(const struct table *t, struct str name)
{
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (str_eq(t->columns[i].name, name))
            return i;
    }
    return UINT32_MAX;
}

/* Makes `,"name":`, which JSON rows write before each cell, once for all rows. */
static struct str label(struct planner *p, struct str name)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    buf_putc(&text, ',');
    json_add_string(&text, name);
    buf_putc(&text, ':');
    struct str out = arena_dup(p->arena, buf_view(&text));
    if (text.rc || !out.p)
        p->rc = RC_NOMEM;
    buf_release(&text);
    return out;
}

uint32_t build_column(struct planner *p, uint32_t table, const struct column *c,
                      struct place at)
{
    struct table *t = &p->tables[table];
    uint32_t i = build_column_find(t, c->name);
    if (i != UINT32_MAX) {
        if (t->columns[i].type != c->type || t->columns[i].extra != c->extra) {
            problems_add(p->problems, at,
                         "column \"%.*s\" of table \"%.*s\" is %s here and %s elsewhere\n"
                         "hint: give it one type, or another name",
                         STR_FMT(c->name), STR_FMT(t->name), column_type_name(c->type),
                         column_type_name(t->columns[i].type));
        }
        t->columns[i].mixed |= c->mixed;
        return i;
    }
    if (p->reserved && p->reserved(c->name, false)) {
        problems_add(p->problems, at,
                     "no column can be called \"%.*s\" in PostgreSQL (table \"%.*s\")\n"
                     "hint: give it another name, and the attribute's with \"from\"",
                     STR_FMT(c->name), STR_FMT(t->name));
    }
    struct column *v = plan_array(p, t->ncolumns + 1, sizeof *v);
    if (!v)
        return UINT32_MAX;
    if (t->ncolumns)
        memcpy(v, t->columns, t->ncolumns * sizeof *v);
    v[t->ncolumns] = *c;
    v[t->ncolumns].label = label(p, c->name);
    t->columns = v;
    return t->ncolumns++;
}

/* Does one reference say what the other does, in whatever order? */
static bool same_reference(const struct reference *a, const struct reference *b)
{
    bool same = a->to == b->to && a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) {
        bool found = false;
        for (uint32_t k = 0; k < b->n && !found; k++)
            found = a->columns[i] == b->columns[k] && a->to_columns[i] == b->to_columns[k];
        same = found;
    }
    return same;
}

/* Entities that share a table may each say the same reference: it is one. */
void build_reference(struct planner *p, uint32_t table, const struct reference *r)
{
    struct table *t = &p->tables[table];
    for (uint32_t i = 0; i < t->nreferences; i++) {
        if (same_reference(&t->references[i], r))
            return;
    }
    struct reference *v = plan_array(p, t->nreferences + 1, sizeof *v);
    if (!v)
        return;
    if (t->nreferences)
        memcpy(v, t->references, t->nreferences * sizeof *v);
    v[t->nreferences++] = *r;
    t->references = v;
    for (uint32_t i = 0; i < r->n; i++)
        t->columns[r->columns[i]].key = true;
}

static bool clash(struct str a, struct str b)
{
    size_t n = 63;
    return str_eq(str_make(a.p, a.n < n ? a.n : n), str_make(b.p, b.n < n ? b.n : n));
}

/* PostgreSQL takes 1,600 columns. While a table is loaded it has one more than the model says,
   and three more if it takes candidates of extracts. */
static uint32_t columns_max(const struct planner *p, uint32_t table)
{
    enum { COLUMNS = 1600, POSITION = 1, COPIES = 3 };
    for (uint32_t i = 0; i < p->nextracts; i++) {
        if (p->extracts[i].into == table)
            return COLUMNS - COPIES;
    }
    return COLUMNS - POSITION;
}

static void check_columns(struct planner *p, uint32_t table)
{
    struct table *t = &p->tables[table];
    uint32_t max = columns_max(p, table);
    t->bursts = row_width_may_burst(t);
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        for (uint32_t k = i + 1; k < t->ncolumns; k++) {
            if (clash(t->columns[i].name, t->columns[k].name)) {
                problems_add(p->problems, (struct place){0, 0},
                             "columns \"%.*s\" and \"%.*s\" of table \"%.*s\" are equal in "
                             "their first 63 bytes",
                             STR_FMT(t->columns[i].name), STR_FMT(t->columns[k].name),
                             STR_FMT(t->name));
            }
        }
    }
    if (t->ncolumns > max) {
        problems_add(p->problems, (struct place){0, 0},
                     "table \"%.*s\" has %u columns, PostgreSQL takes %u\n"
                     "hint: keep some of them in a document or a child table",
                     STR_FMT(t->name), t->ncolumns, max);
    }
}

void build_check_names(struct planner *p)
{
    struct map seen;
    map_init(&seen);
    for (uint32_t i = 0; i < p->ntables; i++) {
        struct str name = p->tables[i].name, cut = str_make(name.p, name.n < 63 ? name.n : 63);
        uint32_t other = map_get(&seen, cut);
        if (p->reserved && p->reserved(p->tables[i].name, true)) {
            problems_add(p->problems, build_table_place(p, i),
                         "no table can be called \"%.*s\" in PostgreSQL",
                         STR_FMT(p->tables[i].name));
        }
        check_columns(p, i);
        if (other != MAP_NONE) {
            problems_add(p->problems, (struct place){0, 0},
                         "tables \"%.*s\" and \"%.*s\" are equal in their first 63 bytes",
                         STR_FMT(p->tables[other].name), STR_FMT(name));
        } else if (map_put(&seen, cut, i)) {
            p->rc = RC_NOMEM;
        }
    }
    map_release(&seen);
}

static bool is_key(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return true;
    }
    return false;
}

/* Does every row of the shape have a value there? */
static bool always_fills(const struct shape *s, uint32_t column)
{
    if (column < s->parent_key || column == s->ordinal || column == s->rest_column)
        return true;
    for (uint32_t i = 0; i < s->fills.n; i++) {
        if (s->fills.v[i].column == column)
            return s->fills.v[i].not_null;
    }
    return false;
}

void build_nullable(struct planner *p, const struct shape *shape)
{
    struct table *t = &p->tables[shape->table];
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (t->columns[i].not_null && !is_key(t, i) && !always_fills(shape, i))
            t->columns[i].not_null = false;
    }
    for (uint32_t i = 0; i < shape->nexplodes; i++) {
        if (shape->explodes[i].shape)
            build_nullable(p, shape->explodes[i].shape);
    }
}
