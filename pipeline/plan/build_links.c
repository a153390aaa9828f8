/* SPDX-License-Identifier: MIT */
/*
 * What can be known only when all entities are compiled: the tables extracts go to, their
 * conflict tables, and the tables that references name.
 */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/plan/plan_private.h"

static bool is_key(const struct extract_table *to, struct str name)
{
    for (uint32_t i = 0; i < to->key.n; i++) {
        if (str_eq(to->key.v[i], name))
            return true;
    }
    return false;
}

static void name_taken(struct planner *p, struct place place, struct str conflict)
{
    problems_add(
        p->problems, place,
        "table \"%.*s\" holds the conflicts of an extract, a merge or a symmetric link, "
        "and is the table of something else\nhint: rename one of them",
        STR_FMT(conflict));
}

static uint32_t target(struct planner *p, const struct pending_extract *x)
{
    uint32_t table = plan_table_find(p, x->to->into);
    if (table != UINT32_MAX) {
        if (p->tables[table].kind == TABLE_CONFLICT)
            name_taken(p, x->place, x->to->into);
        return table;
    }
    table = build_table(p, x->to->into, TABLE_EXTRACT);
    if (table != UINT32_MAX)
        p->tables[table].comment = x->label;
    return table;
}

static void bind_columns(struct planner *p, const struct pending_extract *x, uint32_t table)
{
    bool made = p->tables[table].kind == TABLE_EXTRACT;
    for (uint32_t i = 0; i < x->to->columns.n; i++) {
        const struct column_spec *spec = &x->to->columns.v[i];
        bool key = is_key(x->to, spec->name);
        struct column c = {.name = spec->name,
                           .type = spec->cast.type,
                           .not_null = key,
                           .key = key,
                           .from = spec->name};
        uint32_t at = build_column_find(&p->tables[table], spec->name);
        if (at == UINT32_MAX && !made) {
            problems_add(p->problems, spec->place,
                         "table \"%.*s\" has no column \"%.*s\" to extract into\nhint: add it "
                         "to its entity",
                         STR_FMT(x->to->into), STR_FMT(spec->name));
        } else {
            at = build_column(p, table, &c, spec->place);
        }
        x->cells->fills.v[i].column = at == UINT32_MAX ? 0 : at;
    }
}

static void bind_key(struct planner *p, const struct pending_extract *x, uint32_t table)
{
    struct table *t = &p->tables[table];
    uint32_t *key = plan_array(p, x->to->key.n, sizeof *key);
    uint32_t n = 0;
    for (uint32_t i = 0; key && i < x->to->key.n; i++) {
        uint32_t at = build_column_find(t, x->to->key.v[i]);
        if (at == UINT32_MAX) {
            problems_add(p->problems, x->place,
                         "the key of extract into \"%.*s\" names \"%.*s\", no column of it",
                         STR_FMT(x->to->into), STR_FMT(x->to->key.v[i]));
        } else {
            key[n++] = at;
        }
    }
    if (n == 0) {
        problems_add(p->problems, x->place, "extract into \"%.*s\" needs a \"key\"",
                     STR_FMT(x->to->into));
    }
    bool same = t->nkey == n && key && memcmp(t->key, key, n * sizeof *key) == 0;
    if (t->nkey && !same) {
        problems_add(p->problems, x->place,
                     "the key of this extract is not the primary key of \"%.*s\"",
                     STR_FMT(x->to->into));
    }
    if (t->nkey == 0) {
        t->key = key;
        t->nkey = n;
    }
}

/* What a table of conflicts has beside the key. */
static const struct column CONFLICT_COLUMNS[] = {
    {.name = {"attribute", 9}, .type = COL_TEXT},
    {.name = {"kept", 4}, .type = COL_JSONB},
    {.name = {"lost", 4}, .type = COL_JSONB},
    {.name = {"count", 5}, .type = COL_BIGINT},
    {.name = {"source_key", 10}, .type = COL_TEXT}};
enum { NCONFLICT = sizeof CONFLICT_COLUMNS / sizeof *CONFLICT_COLUMNS };

static void add_conflict_columns(struct planner *p, uint32_t into, uint32_t conflict,
                                 struct place place)
{
    const struct table *t = &p->tables[into];
    for (uint32_t i = 0; i < t->nkey; i++) {
        struct column c = t->columns[t->key[i]];
        for (size_t k = 0; k < NCONFLICT; k++) {
            if (!str_eq(c.name, CONFLICT_COLUMNS[k].name))
                continue;
            problems_add(p->problems, place,
                         "table \"%.*s\": \"%.*s\" would be both of the key and of the "
                         "conflict\nhint: call the column of the key something else",
                         STR_FMT(p->tables[conflict].name), STR_FMT(c.name));
            return;
        }
        c.key = false;
        (void)build_column(p, conflict, &c, place);
    }
    for (size_t i = 0; i < NCONFLICT; i++)
        (void)build_column(p, conflict, &CONFLICT_COLUMNS[i], place);
}

static uint32_t conflict_table(struct planner *p, uint32_t into, struct place place)
{
    struct buf name;
    buf_init(&name, 4096);
    buf_add_str(&name, p->tables[into].name);
    buf_puts(&name, "_conflict");
    struct str text = arena_dup(p->arena, buf_view(&name));
    if (name.rc || !text.p)
        p->rc = RC_NOMEM;
    buf_release(&name);
    uint32_t at = build_table(p, text, TABLE_CONFLICT);
    if (at != UINT32_MAX && p->tables[at].kind != TABLE_CONFLICT)
        name_taken(p, place, text);
    if (at == UINT32_MAX || p->tables[at].ncolumns)
        return at;
    add_conflict_columns(p, into, at, place);
    p->tables[at].comment = p->tables[into].name;
    return at;
}

static uint32_t find_extract(const struct planner *p, uint32_t into)
{
    for (uint32_t i = 0; i < p->nextracts; i++) {
        if (p->extracts[i].into == into && p->extracts[i].rule != EXTRACT_MIRROR)
            return i;
    }
    return UINT32_MAX;
}

static enum extract_rule rule_of(const struct planner *p, const struct pending_extract *x,
                                 uint32_t into)
{
    if (x->to->rule_given)
        return x->to->rule;
    return p->tables[into].kind == TABLE_EXTRACT ? EXTRACT_FIRST : EXTRACT_OWNER;
}

static void add_extract_columns(struct planner *p, struct extract *e, const struct fills *fills)
{
    uint32_t *v = plan_array(p, e->ncolumns + fills->n, sizeof *v);
    if (!v)
        return;
    if (e->ncolumns)
        memcpy(v, e->columns, e->ncolumns * sizeof *v);
    e->columns = v;
    for (uint32_t i = 0; i < fills->n; i++) {
        bool there = false;
        for (uint32_t k = 0; k < e->ncolumns; k++)
            there |= v[k] == fills->v[i].column;
        if (!there)
            v[e->ncolumns++] = fills->v[i].column;
    }
}

static void resolve_extract(struct planner *p, const struct pending_extract *x)
{
    uint32_t into = target(p, x);
    if (into == UINT32_MAX)
        return;
    bind_columns(p, x, into);
    bind_key(p, x, into);
    enum extract_rule rule = rule_of(p, x, into);
    uint32_t id = find_extract(p, into);
    if (id == UINT32_MAX) {
        struct extract *v =
            plan_append(p, p->extracts, p->nextracts, &p->cap_extracts, sizeof *v);
        if (!v)
            return;
        p->extracts = v;
        id = p->nextracts++;
        v[id] = (struct extract){.into = into, .rule = rule, .conflict = UINT32_MAX};
    } else if (p->extracts[id].rule != rule) {
        problems_add(p->problems, x->place, "extracts into \"%.*s\" name different rules",
                     STR_FMT(x->to->into));
    }
    if (rule == EXTRACT_OWNER && p->tables[into].kind == TABLE_EXTRACT) {
        problems_add(p->problems, x->place,
                     "rule \"owner\" needs \"%.*s\" to be the table of an entity",
                     STR_FMT(x->to->into));
    }
    x->cells->id = id;
    add_extract_columns(p, &p->extracts[id], &x->cells->fills);
    if (p->extracts[id].conflict == UINT32_MAX)
        p->extracts[id].conflict = conflict_table(p, into, x->place);
}

struct place build_table_place(const struct planner *p, uint32_t table)
{
    for (uint32_t i = 0; i < p->model->nentities; i++) {
        if (str_eq(p->model->entities[i].table, p->tables[table].name))
            return p->model->entities[i].place;
    }
    return (struct place){0, 0};
}

/* Both directions of a symmetric link, and items that are merged, carry the whole row. */
static void bind_whole_rows(struct planner *p)
{
    for (uint32_t i = 0; i < p->nextracts; i++) {
        struct extract *e = &p->extracts[i];
        e->conflict = conflict_table(p, e->into, build_table_place(p, e->into));
        e->columns = plan_array(p, p->tables[e->into].ncolumns, sizeof *e->columns);
        for (uint32_t c = 0; e->columns && c < p->tables[e->into].ncolumns; c++)
            e->columns[e->ncolumns++] = c;
    }
}

void build_extracts(struct planner *p)
{
    bind_whole_rows(p);
    for (const struct pending_extract *x = p->pending; x; x = x->next)
        resolve_extract(p, x);
}

static void type_problem(struct planner *p, const struct reference_spec *spec,
                         const struct column *from, const struct column *to)
{
    problems_add(
        p->problems, spec->place,
        "column \"%.*s\" is %s, but \"%.*s\" of table \"%.*s\" is %s\nhint: give both one type",
        STR_FMT(from->name), column_type_name(from->type), STR_FMT(to->name), STR_FMT(spec->to),
        column_type_name(to->type));
}

static void tell_missing(struct planner *p, uint32_t table, const struct reference_spec *spec,
                         struct str name)
{
    if (!build_missing_note(p, table, name, false))
        return;
    const char *near = build_missing_near(p, table, NULL, name);
    problems_add(p->problems, spec->place, "no column \"%.*s\" in table \"%.*s\"\nhint: %s%s%s",
                 STR_FMT(name), STR_FMT(p->tables[table].name),
                 near ? "did you mean \"" : "add it to \"columns\"", near ? near : "",
                 near ? "\"?" : "");
}

static void resolve_reference(struct planner *p, uint32_t table,
                              const struct reference_spec *spec)
{
    uint32_t to = plan_table_find(p, spec->to);
    if (to == UINT32_MAX) /* the reader has said so */
        return;
    const struct table *t = &p->tables[to];
    if (build_missing_key(p, to))
        return;
    if (t->nkey != spec->columns.n) {
        problems_add(p->problems, spec->place,
                     "the key of table \"%.*s\" has %u columns, %u are named here",
                     STR_FMT(spec->to), t->nkey, spec->columns.n);
        return;
    }
    struct reference r = {.n = t->nkey, .to = to};
    r.columns = plan_array(p, r.n, sizeof *r.columns);
    r.to_columns = plan_array(p, r.n, sizeof *r.to_columns);
    for (uint32_t i = 0; r.columns && r.to_columns && i < r.n; i++) {
        uint32_t c = build_column_find(&p->tables[table], spec->columns.v[i]);
        if (c == UINT32_MAX) {
            tell_missing(p, table, spec, spec->columns.v[i]);
            return;
        }
        r.columns[i] = c;
        r.to_columns[i] = t->key[i];
        if (p->tables[table].columns[c].type != t->columns[t->key[i]].type)
            type_problem(p, spec, &p->tables[table].columns[c], &t->columns[t->key[i]]);
    }
    if (r.columns && r.to_columns)
        build_reference(p, table, &r);
}

void build_references(struct planner *p)
{
    for (const struct pending_reference *r = p->references; r; r = r->next)
        resolve_reference(p, r->table, r->spec);
}
