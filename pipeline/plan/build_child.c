/* SPDX-License-Identifier: MIT */
/*
 * Child tables: the parent's key, an ordinal for lists, the element's columns. A scalar
 * element is an attribute "value", a map's key an attribute "key".
 */
#include "pipeline/model/read/reader.h"
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

static bool has_index(const uint32_t *v, uint32_t n, uint32_t index)
{
    for (uint32_t i = 0; i < n; i++) {
        if (v[i] == index)
            return true;
    }
    return false;
}

/* Lists the parent's columns that its children repeat: those it has of its own parent, then the
   rest of its key. So a row of any depth has the key of the item's row. */
static uint32_t *inherited(struct scope *parent, uint32_t *n)
{
    const struct table *up = &parent->planner->tables[parent->shape->table];
    uint32_t above = up->nkey ? parent->shape->parent_key : 0;
    uint32_t *v = plan_array(parent->planner, above + up->nkey, sizeof *v);
    for (*n = 0; v && *n < above; ++*n)
        v[*n] = *n;
    for (uint32_t i = 0; v && i < up->nkey; i++) {
        if (!has_index(v, *n, up->key[i]))
            v[(*n)++] = up->key[i];
    }
    return v;
}

/* Gives the child the columns of its parent's key, and a reference back to the parent. */
static void add_parent_key(struct scope *parent, struct shape *shape, struct place at)
{
    struct planner *p = parent->planner;
    uint32_t to = parent->shape->table, n = 0;
    uint32_t *from = inherited(parent, &n);
    struct reference r = {.to = to};
    r.columns = plan_array(p, n, sizeof *r.columns);
    r.to_columns = plan_array(p, n, sizeof *r.to_columns);
    for (uint32_t i = 0; from && r.columns && r.to_columns && i < n; i++) {
        struct column c = p->tables[to].columns[from[i]];
        c.key = c.not_null = true;
        uint32_t own = build_column(p, shape->table, &c, at);
        if (!has_index(p->tables[to].key, p->tables[to].nkey, from[i]))
            continue;
        r.to_columns[r.n] = from[i];
        r.columns[r.n++] = own;
    }
    if (r.n)
        build_reference(p, shape->table, &r);
    shape->inherited = from;
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

/* Finds the column of an element's attribute: called like it, or one that takes it. */
static uint32_t column_of(const struct scope *s, struct str attribute)
{
    const struct table *t = &s->planner->tables[s->shape->table];
    uint32_t found = build_column_find(t, attribute);
    for (uint32_t i = 0; found == UINT32_MAX && i < s->columns.n; i++) {
        const struct column_spec *c = &s->columns.v[i];
        if (column_spec_takes(c, &(struct path){&attribute, 1}))
            found = build_column_find(t, c->name);
    }
    return found;
}

/* Fixes the key of the table. Another entity may have made it before: then it must be the same. */
static void use_key(struct scope *s, const struct child_table *child, uint32_t *key, uint32_t n)
{
    struct table *t = &s->planner->tables[s->shape->table];
    bool same = t->nkey == n && memcmp(t->key, key, n * sizeof *key) == 0;
    if (t->nkey && !same) {
        problems_add(s->planner->problems, child->place,
                     "table \"%.*s\" has another primary key where something else is exploded "
                     "into it\nhint: give both the same, or each its own table",
                     STR_FMT(t->name));
    }
    t->key = key;
    t->nkey = n;
    for (uint32_t i = 0; i < n; i++)
        t->columns[key[i]].key = t->columns[key[i]].not_null = true;
    for (uint32_t i = 0; i < s->shape->fills.n; i++)
        s->shape->fills.v[i].not_null |= has_index(key, n, s->shape->fills.v[i].column);
}

static void set_key(struct scope *s, const struct explode *x, const struct child_table *child)
{
    struct planner *p = s->planner;
    struct shape *shape = s->shape;
    const struct table *t = &p->tables[shape->table];
    uint32_t last = shape->ordinal;
    if (x->mode != EXPLODE_LIST)
        last = column_of(s, x->mode == EXPLODE_SET ? x->value : x->key);
    if (last == UINT32_MAX) {
        problems_add(p->problems, child->place,
                     "table \"%.*s\" has no column to tell its rows apart\n"
                     "hint: name an \"ordinal\"",
                     STR_FMT(t->name));
        return;
    }
    if (last < shape->parent_key) {
        problems_add(p->problems, child->place,
                     "table \"%.*s\": \"%.*s\" would be both of the parent and of the element\n"
                     "hint: give one of them another name",
                     STR_FMT(t->name), STR_FMT(t->columns[last].name));
        return;
    }
    uint32_t *key = plan_array(p, shape->parent_key + 1, sizeof *key);
    for (uint32_t i = 0; key && i < shape->parent_key; i++)
        key[i] = i;
    if (key) {
        key[shape->parent_key] = last;
        use_key(s, child, key, shape->parent_key + 1);
    }
}

static void no_such_column(struct planner *p, const struct table *t, struct str name,
                           struct place at)
{
    const char **names = plan_array(p, t->ncolumns, sizeof(const char *));
    for (uint32_t i = 0; names && i < t->ncolumns; i++)
        names[i] = t->columns[i].name.p;
    const char *near = names ? name_nearest(name, names, t->ncolumns) : NULL;
    problems_add(p->problems, at,
                 "the primary key of table \"%.*s\" names \"%.*s\", which is no column of it"
                 "\nhint: %s%s%s",
                 STR_FMT(t->name), STR_FMT(name), near ? "did you mean \"" : "add it to",
                 near ? near : " \"columns\"", near ? "\"?" : "");
}

/* The key that the model names. */
static void set_own_key(struct scope *s, const struct child_table *child)
{
    struct planner *p = s->planner;
    const struct table *t = &p->tables[s->shape->table];
    uint32_t n = 0, *key = plan_array(p, child->primary_key->n, sizeof *key);
    for (uint32_t i = 0; key && i < child->primary_key->n; i++) {
        uint32_t c = build_column_find(t, child->primary_key->v[i]);
        if (c == UINT32_MAX) {
            no_such_column(p, t, child->primary_key->v[i], child->place);
        } else {
            key[n++] = c;
        }
    }
    if (key && n == child->primary_key->n)
        use_key(s, child, key, n);
}

/* Makes the columns of the link the key, behind the parent's. One that is not there is reported
   with its reference. */
static void set_link_key(struct scope *s, const struct child_table *child)
{
    struct planner *p = s->planner;
    struct table *t = &p->tables[s->shape->table];
    uint32_t *key = plan_array(p, s->shape->parent_key + s->link->n, sizeof *key);
    uint32_t n = 0;
    for (; key && n < s->shape->parent_key; n++)
        key[n] = n;
    for (uint32_t i = 0; key && i < s->link->n; i++) {
        const struct names *names = &s->link->v[i].columns;
        uint32_t c = names->n ? build_column_find(t, names->v[0]) : UINT32_MAX;
        if (c != UINT32_MAX && !has_index(key, n, c))
            key[n++] = c;
    }
    for (uint32_t i = 0; key && i < t->ncolumns; i++)
        t->columns[i].key = false;
    if (key)
        use_key(s, child, key, n);
}

/* An element that is a link has the parent's key and the link's columns for a key. */
static void set_link(struct scope *s, const struct child_table *child)
{
    struct planner *p = s->planner;
    if (s->link->symmetric) {
        problems_add(p->problems, child->place,
                     "a link inside \"explode\" cannot be symmetric\n"
                     "hint: leave \"symmetric\" out");
    }
    if (child->primary_key->n == 0)
        set_link_key(s, child);
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

/* Another entity may explode into the same table, if that is a child of the same one. */
static bool may_share(struct scope *parent, const struct child_table *child)
{
    struct planner *p = parent->planner;
    uint32_t at = plan_table_find(p, child->into);
    if (at == UINT32_MAX)
        return true;
    const struct table *t = &p->tables[at];
    bool twice = false;
    for (uint32_t i = 0; i < parent->nexplodes; i++)
        twice |= parent->explodes[i].shape && parent->explodes[i].shape->table == at;
    if (t->kind != TABLE_CHILD || twice) {
        problems_add(
            p->problems, child->place,
            "two things are exploded into, or named, table \"%.*s\"\nhint: give each its own",
            STR_FMT(child->into));
        return false;
    }
    if (t->parent != parent->shape->table) {
        problems_add(p->problems, child->place,
                     "table \"%.*s\" would belong to the rows of \"%.*s\" and of \"%.*s\"\n"
                     "hint: give each its own table, or both entities one \"table\"",
                     STR_FMT(child->into), STR_FMT(p->tables[t->parent].name),
                     STR_FMT(p->tables[parent->shape->table].name));
        return false;
    }
    return true;
}

static void set_keys(struct scope *s, const struct explode *x, const struct child_table *child)
{
    if (s->link)
        set_link(s, child);
    if (child->primary_key->n) {
        set_own_key(s, child);
    } else if (!s->link) {
        set_key(s, x, child);
    }
}

static enum rc make_table(struct scope *s, const struct child_table *child,
                          const struct explode *explode)
{
    struct planner *p = s->planner;
    uint32_t above = s->parent->shape->table;
    s->shape->table = build_table(p, child->into, TABLE_CHILD);
    if (s->shape->table == UINT32_MAX)
        return RC_NOMEM;
    struct table *t = &p->tables[s->shape->table];
    if (t->comment.n == 0)
        t->comment = below(p, p->tables[above].comment, explode->name);
    t->parent = above;
    add_parent_key(s->parent, s->shape, child->place);
    bool numbered = child->ordinal.n || child->primary_key->n == 0;
    if (explode->mode == EXPLODE_LIST && numbered)
        add_ordinal(p, s->shape, child);
    return RC_OK;
}

struct shape *build_child(struct scope *parent, const struct child_table *child,
                          const struct explode *explode)
{
    struct planner *p = parent->planner;
    struct shape *shape = new_shape(parent, child);
    if (!shape)
        return NULL;
    if (p->tables[parent->shape->table].nkey == 0 &&
        !build_missing_key(p, parent->shape->table)) {
        problems_add(
            p->problems, child->place,
            "\"%.*s\" is exploded, but table \"%.*s\" has no primary key for its children\n"
            "hint: add \"primary_key\"",
            STR_FMT(explode->name), STR_FMT(p->tables[parent->shape->table].name));
    }
    struct scope s = {
        .planner = p, .parent = parent, .shape = shape, .columns = child->columns};
    if (!may_share(parent, child) || make_table(&s, child, explode))
        return NULL;
    build_stages(&s, child->stages);
    build_fills(&s);
    set_keys(&s, explode, child);
    build_pending_references(p, shape->table, child->references->v, child->references->n);
    if (p->tables[shape->table].nkey)
        check_columns(&s);
    build_finish(&s);
    return shape;
}
