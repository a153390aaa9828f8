/* SPDX-License-Identifier: MIT */
/*
 * Child tables: the parent's key, an ordinal for lists, the element's columns. A scalar
 * element is an attribute "value", a map's key an attribute "key".
 */
#include "pipeline/plan/build.h"
#include "pipeline/stage/stage.h"

static struct columns_spec element_columns(struct planner *p, const struct stage_spec *stage,
                                           enum explode_mode mode)
{
    const struct explode_spec *e = stage->u.explode;
    bool plain = e->columns.n == 0 && e->stages.n == 0;
    if (!plain)
        return e->columns;
    struct column_spec *v = plan_array(p, 2, sizeof *v);
    uint32_t n = 0;
    if (!v)
        return (struct columns_spec){0};
    if (mode == EXPLODE_MAP)
        v[n++] = (struct column_spec){.name = STR("key"), .place = stage->place};
    v[n++] = (struct column_spec){.name = STR("value"), .place = stage->place};
    return (struct columns_spec){v, n};
}

static struct shape *new_shape(struct scope *parent, const struct explode_spec *e)
{
    struct shape *shape = build_shape(parent->planner, e->into);
    if (!shape)
        return NULL;
    shape->rest = e->rest ? e->rest : parent->shape->rest;
    shape->nulls_keep = parent->shape->nulls_keep;
    return shape;
}

/* The parent's key, under the same names, with a reference back. */
static void add_parent_key(struct scope *parent, struct shape *shape, struct place at)
{
    struct planner *p = parent->planner;
    uint32_t n = p->tables[parent->shape->table].nkey;
    struct reference r = {.n = n, .to = parent->shape->table};
    r.columns = plan_array(p, n, sizeof *r.columns);
    r.to_columns = plan_array(p, n, sizeof *r.to_columns);
    for (uint32_t i = 0; r.columns && r.to_columns && i < n; i++) {
        const struct table *up = &p->tables[parent->shape->table];
        struct column c = up->columns[up->key[i]];
        c.key = c.not_null = true;
        r.to_columns[i] = up->key[i];
        r.columns[i] = build_column(p, shape->table, &c, at);
    }
    if (n && r.columns && r.to_columns)
        build_reference(p, shape->table, &r);
    shape->parent_key = n;
}

static void add_ordinal(struct planner *p, struct shape *shape, const struct stage_spec *stage)
{
    struct str name = stage->u.explode->ordinal;
    struct column c = {.name = name.n ? name : STR("ordinal"),
                       .type = COL_INTEGER,
                       .not_null = true,
                       .key = true,
                       .from = STR("position in the list, from 0")};
    shape->ordinal = build_column(p, shape->table, &c, stage->place);
}

static void set_key(struct planner *p, struct shape *shape, enum explode_mode mode,
                    const struct stage_spec *stage)
{
    struct table *t = &p->tables[shape->table];
    uint32_t last = shape->ordinal;
    if (mode == EXPLODE_SET)
        last = build_column_find(t, STR("value"));
    if (mode == EXPLODE_MAP)
        last = build_column_find(t, STR("key"));
    if (last == UINT32_MAX) {
        problems_add(p->problems, stage->place,
                     "table \"%.*s\" has no column to tell its rows apart\n"
                     "hint: name an \"ordinal\"",
                     STR_FMT(t->name));
        return;
    }
    t->key = plan_array(p, shape->parent_key + 1, sizeof *t->key);
    if (!t->key)
        return;
    for (uint32_t i = 0; i < shape->parent_key; i++)
        t->key[i] = i;
    t->key[shape->parent_key] = last;
    t->nkey = shape->parent_key + 1;
    t->columns[last].key = t->columns[last].not_null = true;
    for (uint32_t i = 0; i < shape->fills.n; i++)
        shape->fills.v[i].not_null |= shape->fills.v[i].column == last;
}

/* "Order.lines": where the rows come from. */
static struct str below(struct planner *p, struct str parent, struct str name)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_add_str(&text, parent);
    buf_putc(&text, '.');
    buf_add_str(&text, name);
    struct str out = arena_dup(p->arena, buf_view(&text));
    if (text.rc != RC_OK || !out.p)
        p->rc = RC_NOMEM;
    buf_release(&text);
    return out;
}

struct shape *build_child(struct scope *parent, const struct stage_spec *stage,
                          const struct explode *explode)
{
    const struct explode_spec *e = stage->u.explode;
    struct planner *p = parent->planner;
    struct shape *shape = new_shape(parent, e);
    if (!shape)
        return NULL;
    if (p->tables[parent->shape->table].nkey == 0) {
        problems_add(
            p->problems, stage->place,
            "\"%.*s\" is exploded, but table \"%.*s\" has no primary key for its children\n"
            "hint: add \"primary_key\"",
            STR_FMT(explode->name), STR_FMT(p->tables[parent->shape->table].name));
    }
    if (plan_table_find(p, e->into) != UINT32_MAX) {
        problems_add(
            p->problems, stage->place,
            "two things are exploded into, or named, table \"%.*s\"\nhint: give each its own",
            STR_FMT(e->into));
    }
    struct scope s = {.planner = p, .parent = parent, .shape = shape};
    shape->table = build_table(p, e->into, TABLE_CHILD);
    if (shape->table == UINT32_MAX)
        return NULL;
    p->tables[shape->table].parent = parent->shape->table;
    p->tables[shape->table].comment =
        below(p, p->tables[parent->shape->table].comment, explode->name);
    add_parent_key(parent, shape, stage->place);
    if (explode->mode == EXPLODE_LIST)
        add_ordinal(p, shape, stage);
    s.columns = element_columns(p, stage, explode->mode);
    build_stages(&s, &e->stages);
    build_fills(&s);
    set_key(p, shape, explode->mode, stage);
    build_finish(&s);
    return shape;
}
