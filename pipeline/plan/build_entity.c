/* SPDX-License-Identifier: MIT */
/* One entity: key parts, stages, columns, key, references. */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/plan/key_parts.h"
#include "pipeline/plan/plan_private.h"

static struct shape *new_shape(struct planner *p, const struct entity *e)
{
    struct shape *shape = build_shape(p, e->name);
    if (!shape)
        return NULL;
    shape->strip = p->indexing;
    shape->rest = e->rest;
    if (shape->rest == REST_INHERIT)
        shape->rest = p->model->rest;
    if (shape->rest == REST_INHERIT)
        shape->rest = REST_EXTRA;
    enum nulls_rule nulls = e->nulls ? e->nulls : p->model->nulls;
    shape->nulls_keep = nulls == NULLS_KEEP;
    return shape;
}

static const struct binding *find_part(const struct scope *s, struct str name)
{
    for (const struct binding *b = s->bindings; b; b = b->next) {
        if (b->part && b->path.n == 1 && str_eq(b->path.members[0], name))
            return b;
    }
    return NULL;
}

static void declare(struct scope *s, struct str name, enum col_type type)
{
    scope_declare(s, &(struct column_spec){
                         .name = name, .place = s->entity->place, .cast = {.type = type}});
}

/* An entity without columns gets its key parts, in the order of the templates. */
static void declare_parts(struct scope *s)
{
    for (uint32_t k = 0; k < s->entity->keys.n; k++) {
        const struct template *t = &s->entity->keys.v[k].tpl;
        for (uint32_t i = 0; i < t->n; i++) {
            const struct template_piece *piece = &t->pieces[i];
            if (!piece->literal && find_part(s, piece->text))
                declare(s, piece->text, piece->type);
        }
    }
}

/* A key column that is a key part needs no line under "columns". */
static void declare_key(struct scope *s, const struct names *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        const struct binding *b = find_part(s, names->v[i]);
        if (b)
            declare(s, names->v[i], b->type);
    }
}

static void tell_missing(struct scope *s, struct str name)
{
    struct planner *p = s->planner;
    struct place at =
        s->entity->primary_key.n ? s->entity->primary_key_place : s->entity->place;
    const char *near = build_missing_near(p, s->shape->table, s, name);
    (void)build_missing_note(p, s->shape->table, name, true);
    problems_add(p->problems, at,
                 "the primary key of \"%.*s\" names \"%.*s\", which is neither a column nor a "
                 "key part\nhint: %s%s%s",
                 STR_FMT(s->entity->name), STR_FMT(name),
                 near ? "did you mean \"" : "add it to \"columns\"", near ? near : "",
                 near ? "\"?" : "");
}

static void set_key(struct scope *s, const struct names *names)
{
    struct planner *p = s->planner;
    struct table *t = &p->tables[s->shape->table];
    uint32_t *key = plan_array(p, names->n, sizeof *key);
    uint32_t n = 0;
    for (uint32_t i = 0; key && i < names->n; i++) {
        uint32_t c = build_column_find(t, names->v[i]);
        if (c == UINT32_MAX) {
            tell_missing(s, names->v[i]);
            continue;
        }
        t->columns[c].not_null = t->columns[c].key = true;
        key[n++] = c;
    }
    bool same = t->nkey == n && (n == 0 || memcmp(t->key, key, n * sizeof *key) == 0);
    if (t->nkey && !same && !build_missing_key(p, s->shape->table)) {
        problems_add(p->problems, s->entity->place,
                     "table \"%.*s\" has another primary key in an entity before this one",
                     STR_FMT(t->name));
    }
    t->key = key;
    t->nkey = n;
    for (uint32_t i = 0; i < s->shape->fills.n; i++) {
        for (uint32_t k = 0; k < n; k++)
            s->shape->fills.v[i].not_null |= s->shape->fills.v[i].column == key[k];
    }
}

void build_pending_references(struct planner *p, uint32_t table, const struct reference_spec *v,
                              uint32_t n)
{
    struct pending_reference **end = &p->references;
    while (*end)
        end = &(*end)->next;
    for (uint32_t i = 0; i < n; i++) {
        struct pending_reference *r = plan_array(p, 1, sizeof *r);
        if (!r)
            return;
        *r = (struct pending_reference){table, &v[i], NULL};
        *end = r;
        end = &r->next;
    }
}

/* The columns of a link are its key, unless the entity names one. */
static struct names link_key(struct scope *s)
{
    struct names key = s->entity->primary_key;
    if (key.n || !s->link)
        return key;
    struct str *v = plan_array(s->planner, s->link->n, sizeof *v);
    for (uint32_t i = 0; v && i < s->link->n; i++) {
        if (s->link->v[i].columns.n)
            v[key.n++] = s->link->v[i].columns.v[0];
    }
    key.v = v;
    return key;
}

/* Makes candidates of the entity's own rows. Returns the extract, or UINT32_MAX: no memory. */
static uint32_t add_candidates(struct scope *s, enum extract_rule rule)
{
    struct planner *p = s->planner;
    struct extract *v = plan_append(p, p->extracts, p->nextracts, &p->cap_extracts, sizeof *v);
    if (!v)
        return UINT32_MAX;
    p->extracts = v;
    v[p->nextracts] =
        (struct extract){.into = s->shape->table, .conflict = UINT32_MAX, .rule = rule};
    return p->nextracts++;
}

static void add_mirror(struct scope *s)
{
    if (!s->link || !s->link->symmetric)
        return;
    s->shape->mirror = add_candidates(s, EXTRACT_MIRROR);
    const struct table *t = &s->planner->tables[s->shape->table];
    if (t->nkey == 2 && t->columns[t->key[0]].type != t->columns[t->key[1]].type) {
        problems_add(
            s->planner->problems, s->entity->place,
            "the two columns of a symmetric link must be of one type, "
            "\"%.*s\" is %s and \"%.*s\" is %s",
            STR_FMT(t->columns[t->key[0]].name), column_type_name(t->columns[t->key[0]].type),
            STR_FMT(t->columns[t->key[1]].name), column_type_name(t->columns[t->key[1]].type));
    }
}

/* If items of one entity are merged, those of all entities of the table must be: a row cannot
   come from both kinds. */
static void check_merge(struct scope *s)
{
    const struct model *m = s->planner->model;
    const struct entity *e = s->entity;
    struct problems *problems = s->planner->problems;
    for (uint32_t i = 0; i < m->nentities; i++) {
        const struct entity *o = &m->entities[i];
        if (!str_eq(o->table, e->table) || (o->merge && o->merge_rule == e->merge_rule))
            continue;
        problems_add(problems, e->place,
                     "\"%.*s\" and \"%.*s\" share table \"%.*s\", but do not name the same "
                     "\"merge\"",
                     STR_FMT(e->name), STR_FMT(o->name), STR_FMT(e->table));
        return;
    }
    if (s->planner->tables[s->shape->table].nkey == 0 &&
        !build_missing_key(s->planner, s->shape->table)) {
        problems_add(problems, e->place,
                     "\"%.*s\" is merged, but has no primary key to do it by\n"
                     "hint: add \"primary_key\"",
                     STR_FMT(e->name));
    }
    if (s->nexplodes || (s->link && s->link->symmetric)) {
        problems_add(problems, e->place,
                     "\"%.*s\" is merged: it cannot explode anything or be symmetric",
                     STR_FMT(e->name));
    }
}

static void add_merge(struct scope *s)
{
    struct planner *p = s->planner;
    if (!s->entity->merge)
        return;
    check_merge(s);
    for (uint32_t i = 0; i < p->nextracts; i++) {
        if (p->extracts[i].into == s->shape->table)
            s->shape->merge = i;
    }
    if (s->shape->merge == UINT32_MAX)
        s->shape->merge = add_candidates(s, s->entity->merge_rule);
}

struct shape *build_entity(struct planner *p, const struct entity *e)
{
    struct shape *shape = new_shape(p, e);
    if (!shape)
        return NULL;
    struct scope s = {.planner = p, .shape = shape, .entity = e, .columns = e->columns};
    shape->table = build_table(p, e->table, TABLE_ENTITY);
    if (shape->table == UINT32_MAX)
        return NULL;
    struct table *t = &p->tables[shape->table];
    if (t->comment.n == 0)
        t->comment = e->name;
    key_parts_plan(&s, &e->keys);
    build_stages(&s, &e->stages);
    struct names key = link_key(&s);
    if (s.columns.n == 0)
        declare_parts(&s);
    declare_key(&s, &key);
    build_fills(&s);
    set_key(&s, &key);
    build_pending_references(p, shape->table, e->references.v, e->references.n);
    if (s.link)
        build_pending_references(p, shape->table, s.link->v, s.link->n);
    add_mirror(&s);
    add_merge(&s);
    build_finish(&s);
    return shape;
}
