/* SPDX-License-Identifier: MIT */
/*
 * Child tables: the parent's key, an ordinal for lists, the element's columns. A scalar
 * element is an attribute "value", a map's key an attribute "key".
 */
#include "pipeline/plan/plan_private.h"

static struct shape *new_shape(struct scope *parent, const struct child_table *c)
{
    struct shape *shape = build_shape(parent->planner, c->into);
    if (!shape)
        return NULL;
    shape->rest = c->rest ? c->rest : parent->shape->rest;
    shape->nulls_keep = parent->shape->nulls_keep;
    return shape;
}

/* Gives the child the columns of its parent's key, and a reference back to the parent. */
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

static void add_ordinal(struct planner *p, struct shape *shape, const struct child_table *child)
{
    struct str name = child->ordinal;
    struct column c = {.name = name.n ? name : STR("ordinal"),
                       .type = COL_INTEGER,
                       .not_null = true,
                       .key = true,
                       .from = STR("position in the list, from 0")};
    shape->ordinal = build_column(p, shape->table, &c, child->place);
}

static void set_key(struct planner *p, struct shape *shape, enum explode_mode mode,
                    struct place at)
{
    struct table *t = &p->tables[shape->table];
    uint32_t last = shape->ordinal;
    if (mode == EXPLODE_SET)
        last = build_column_find(t, STR("value"));
    if (mode == EXPLODE_MAP)
        last = build_column_find(t, STR("key"));
    if (last == UINT32_MAX) {
        problems_add(p->problems, at,
                     "table \"%.*s\" has no column to tell its rows apart\n"
                     "hint: name an \"ordinal\"",
                     STR_FMT(t->name));
        return;
    }
    if (last < shape->parent_key) {
        problems_add(p->problems, at,
                     "table \"%.*s\": \"%.*s\" would be both of the parent and of the element\n"
                     "hint: give one of them another name",
                     STR_FMT(t->name), STR_FMT(t->columns[last].name));
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

static bool is_key(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return true;
    }
    return false;
}

/* Makes the columns of the link the key, behind the parent's. One that is not there is reported
   with its reference. */
static void add_link_key(struct scope *s)
{
    struct planner *p = s->planner;
    struct table *t = &p->tables[s->shape->table];
    t->key = plan_array(p, s->shape->parent_key + s->link->n, sizeof *t->key);
    t->nkey = 0;
    for (uint32_t i = 0; t->key && i < s->shape->parent_key; i++)
        t->key[t->nkey++] = i;
    for (uint32_t i = 0; t->key && i < s->link->n; i++) {
        const struct names *names = &s->link->v[i].columns;
        uint32_t c = names->n ? build_column_find(t, names->v[0]) : UINT32_MAX;
        if (c != UINT32_MAX && !is_key(t, c))
            t->key[t->nkey++] = c;
    }
}

/* An element that is a link has the parent's key and the link's columns for a key. */
static void set_link(struct scope *s, struct place at)
{
    struct planner *p = s->planner;
    struct table *t = &p->tables[s->shape->table];
    if (s->link->symmetric) {
        problems_add(p->problems, at,
                     "a link inside \"explode\" cannot be symmetric\n"
                     "hint: leave \"symmetric\" out");
    }
    add_link_key(s);
    for (uint32_t i = 0; t->key && i < t->ncolumns; i++)
        t->columns[i].key = is_key(t, i);
    for (uint32_t i = 0; t->key && i < t->nkey; i++)
        t->columns[t->key[i]].not_null = true;
    for (uint32_t i = 0; t->key && i < s->shape->fills.n; i++)
        s->shape->fills.v[i].not_null |= is_key(t, s->shape->fills.v[i].column);
    build_pending_references(p, s->shape->table, s->link->v, s->link->n);
}

/* Refuses columns of the element that are the parent's or the ordinal already: one value would be
   lost. Those that read the parent say the same. */
static void check_columns(const struct scope *s)
{
    const struct table *t = &s->planner->tables[s->shape->table];
    for (uint32_t i = 0; i < s->columns.n; i++) {
        const struct column_spec *spec = &s->columns.v[i];
        uint32_t c = build_column_find(t, spec->name);
        bool up = spec->from.n && str_starts(spec->from.members[0], STR("^"));
        if (c == s->shape->ordinal || (c < s->shape->parent_key && !up)) {
            problems_add(s->planner->problems, spec->place,
                         "table \"%.*s\": \"%.*s\" would be both of the %s and of the element\n"
                         "hint: give one of them another name",
                         STR_FMT(t->name), STR_FMT(spec->name),
                         c == s->shape->ordinal ? "list" : "parent");
        }
    }
}

/* Says where the rows come from, such as "Order.lines". */
static struct str below(struct planner *p, struct str parent, struct str name)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_add_str(&text, parent);
    buf_putc(&text, '.');
    buf_add_str(&text, name);
    struct str out = arena_dup(p->arena, buf_view(&text));
    if (text.rc || !out.p)
        p->rc = RC_NOMEM;
    buf_release(&text);
    return out;
}

struct shape *build_child(struct scope *parent, const struct child_table *child,
                          const struct explode *explode)
{
    struct planner *p = parent->planner;
    struct shape *shape = new_shape(parent, child);
    if (!shape)
        return NULL;
    if (p->tables[parent->shape->table].nkey == 0) {
        problems_add(
            p->problems, child->place,
            "\"%.*s\" is exploded, but table \"%.*s\" has no primary key for its children\n"
            "hint: add \"primary_key\"",
            STR_FMT(explode->name), STR_FMT(p->tables[parent->shape->table].name));
    }
    if (plan_table_find(p, child->into) != UINT32_MAX) {
        problems_add(
            p->problems, child->place,
            "two things are exploded into, or named, table \"%.*s\"\nhint: give each its own",
            STR_FMT(child->into));
    }
    struct scope s = {
        .planner = p, .parent = parent, .shape = shape, .columns = child->columns};
    shape->table = build_table(p, child->into, TABLE_CHILD);
    if (shape->table == UINT32_MAX)
        return NULL;
    p->tables[shape->table].parent = parent->shape->table;
    p->tables[shape->table].comment =
        below(p, p->tables[parent->shape->table].comment, explode->name);
    add_parent_key(parent, shape, child->place);
    if (explode->mode == EXPLODE_LIST)
        add_ordinal(p, shape, child);
    build_stages(&s, child->stages);
    build_fills(&s);
    if (s.link) {
        set_link(&s, child->place);
    } else {
        set_key(p, shape, explode->mode, child->place);
    }
    if (p->tables[shape->table].nkey)
        check_columns(&s);
    build_finish(&s);
    return shape;
}
