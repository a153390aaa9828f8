/* SPDX-License-Identifier: MIT */
/*
 * Compiling a backfill: names become paths and slots, and what no item could cure is told as a
 * problem of the model. Entities without a backfill stay empty.
 */
#include <stdlib.h>

#include "sinks/dynamodb/recipe/recipe_private.h"

struct maker {
    struct recipe *r;
    struct entity_recipe *e;
    struct problems *problems;
    bool nomem;
};

static void *make_array(struct maker *m, size_t n, size_t size)
{
    void *v = arena_array(&m->r->arena, n ? n : 1, size);
    m->nomem = m->nomem || !v;
    return v;
}

/* A copy of the n elements of v with room for one more; NULL when out of memory. */
static void *one_more(struct maker *m, const void *v, uint32_t n, size_t size)
{
    void *more = make_array(m, n + 1, size);
    if (more && n)
        memcpy(more, v, n * size);
    return more;
}

static bool in_names(const struct names *names, struct str name)
{
    for (uint32_t i = 0; i < names->n; i++) {
        if (str_eq(names->v[i], name))
            return true;
    }
    return false;
}

static bool is_target(const struct entity *e, struct str name)
{
    for (uint32_t i = 0; i < e->nbackfill; i++) {
        if (str_eq(e->backfill[i].attribute, name))
            return true;
    }
    return false;
}

static struct path one_member(struct maker *m, struct str name)
{
    struct path path = {.members = make_array(m, 1, sizeof *path.members), .n = 1};
    if (path.members)
        path.members[0] = name;
    return path;
}

/* ---- what is read ---- */

/* Each path once; key attributes cannot change, and targets are conditions by themselves. */
static void add_read(struct maker *m, const struct path *path)
{
    struct entity_recipe *e = m->e;
    if (path->n == 0 || in_names(&m->r->key, path->members[0]))
        return;
    if (is_target(e->entity, path->members[0])) {
        e->circular = true;
        return;
    }
    for (uint32_t i = 0; i < e->nreads; i++) {
        if (path_eq(&e->reads[i], path))
            return;
    }
    struct path *v = one_more(m, e->reads, e->nreads, sizeof *v);
    if (!v)
        return;
    v[e->nreads++] = *path;
    e->reads = v;
}

static void add_condition(struct maker *m, const struct cond *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->nkids; i++)
        add_condition(m, &c->kids[i]);
    add_read(m, &c->path);
}

static void add_name(struct maker *m, struct str name)
{
    struct path path = one_member(m, name);
    if (path.members && name.n)
        add_read(m, &path);
}

/* The first entity that matches takes the item: that those before did not is part of what was
 * read. Without a condition of their own they look at the type or, where there is none, at the
 * attributes of their key templates. */
static void add_route(struct maker *m, uint32_t index)
{
    const struct model *model = m->r->plan->model;
    for (uint32_t i = 0; i <= index; i++) {
        const struct entity *other = &model->entities[i];
        add_condition(m, other->when);
        if (!other->when)
            add_name(m, m->r->plan->type);
    }
    m->e->ntyped = m->e->nreads;
    for (uint32_t i = 0; i < index; i++) {
        const struct entity *other = &model->entities[i];
        for (uint32_t k = 0; !other->when && k < other->keys.n; k++)
            add_name(m, other->keys.v[k].attribute);
    }
}

static void add_reads(struct maker *m, uint32_t index)
{
    struct entity_recipe *e = m->e;
    for (uint32_t i = 0; i < e->ntargets; i++) {
        for (uint32_t k = 0; k < e->targets[i].spec->tpl.n; k++)
            add_read(m, &e->targets[i].inputs[k].path);
    }
    add_condition(m, e->entity->backfill_when);
    for (uint32_t i = 0; i < e->nkeys; i++)
        add_name(m, e->keys[i].attribute);
    add_route(m, index);
}

/* ---- keys and inputs ---- */

static uint32_t count_parts(const struct keys_spec *keys)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < keys->n; i++)
        n += keys->v[i].tpl.nparts;
    return n;
}

static void make_key(struct maker *m, const struct key_spec *spec, struct key_match *key)
{
    struct entity_recipe *e = m->e;
    *key = (struct key_match){.slot = e->nkeys,
                              .attribute = spec->attribute,
                              .tpl = &spec->tpl,
                              .matched = SLOT_NONE};
    key->parts = make_array(m, spec->tpl.nparts, sizeof *key->parts);
    uint32_t n = 0;
    for (uint32_t i = 0; key->parts && i < spec->tpl.n; i++) {
        if (spec->tpl.pieces[i].literal)
            continue;
        e->names[e->nslots] = spec->tpl.pieces[i].text;
        key->parts[n++] = e->nslots++;
    }
}

static void make_keys(struct maker *m)
{
    struct entity_recipe *e = m->e;
    const struct keys_spec *keys = &e->entity->keys;
    e->keys = make_array(m, keys->n, sizeof *e->keys);
    e->soft = make_array(m, keys->n, sizeof *e->soft);
    e->names = make_array(m, keys->n + count_parts(keys), sizeof *e->names);
    if (m->nomem)
        return;
    e->nslots = keys->n;
    for (uint32_t i = 0; i < keys->n; i++) {
        e->soft[i] = is_target(e->entity, keys->v[i].attribute);
        make_key(m, &keys->v[i], &e->keys[i]);
        e->nkeys++;
    }
}

static void add_slots(struct maker *m, struct recipe_input *in, bool soft)
{
    const struct entity_recipe *e = m->e;
    for (uint32_t i = 0; i < e->nkeys; i++) {
        for (uint32_t k = 0; k < e->keys[i].tpl->nparts && e->soft[i] == soft; k++) {
            uint32_t slot = e->keys[i].parts[k];
            if (str_eq(e->names[slot], in->path.members[0]))
                in->slots[in->n++] = slot;
        }
    }
}

static enum prefer_rule preference(const struct entity *e, struct str name)
{
    for (uint32_t i = 0; i < e->columns.n; i++) {
        const struct column_spec *c = &e->columns.v[i];
        if (str_eq(c->name, name) && c->prefer != PREFER_NONE)
            return c->prefer;
    }
    return e->prefer;
}

static void make_input(struct maker *m, const struct backfill_spec *spec,
                       const struct template_piece *piece, struct recipe_input *in)
{
    enum rc rc = path_parse(piece->text, &m->r->arena, &in->path);
    m->nomem = m->nomem || rc == RC_NOMEM;
    if (rc == RC_USAGE || (!rc && str_starts(in->path.members[0], STR("^")))) {
        problems_add(
            m->problems, spec->place,
            "{%.*s} is no attribute of the item\nhint: a backfill reads attributes and "
            "parts of keys",
            STR_FMT(piece->text));
    }
    if (rc || in->path.n != 1)
        return;
    in->slots = make_array(m, m->e->nslots, sizeof *in->slots);
    if (!in->slots)
        return;
    add_slots(m, in, false);
    in->hard = in->n;
    add_slots(m, in, true);
    in->prefer = preference(m->e->entity, in->path.members[0]);
}

/* ---- targets ---- */

static void add_demands(struct maker *m, struct target *t, const struct dynamodb_index *index)
{
    for (size_t i = 0; i < index->schema.n; i++) {
        const struct dynamodb_key *key = &index->schema.keys[i];
        if (!str_eq(key->name, t->spec->attribute))
            continue;
        struct demand *v = one_more(m, t->demands, t->ndemands, sizeof *v);
        if (!v)
            return;
        v[t->ndemands++] = (struct demand){index, key};
        t->demands = v;
    }
}

static void make_target(struct maker *m, const struct backfill_spec *spec, struct target *t)
{
    const struct dynamodb_table *table = m->r->table;
    *t = (struct target){.spec = spec, .path = one_member(m, spec->attribute)};
    t->inputs = make_array(m, spec->tpl.n, sizeof *t->inputs);
    if (!t->inputs)
        return;
    if (in_names(&m->r->key, spec->attribute)) {
        problems_add(m->problems, spec->place,
                     "\"%.*s\" is part of the table's primary key, which can never be changed",
                     STR_FMT(spec->attribute));
    }
    if (spec->kind == VAL_N)
        recipe_check_number(spec, m->problems);
    for (uint32_t i = 0; i < spec->tpl.n; i++) {
        if (!spec->tpl.pieces[i].literal)
            make_input(m, spec, &spec->tpl.pieces[i], &t->inputs[i]);
    }
    for (size_t i = 0; table && i < table->n_indexes; i++)
        add_demands(m, t, &table->indexes[i]);
}

static bool names_target(const struct entity *e, const struct cond *c)
{
    if (!c)
        return false;
    bool found = c->path.n && is_target(e, c->path.members[0]);
    for (uint32_t i = 0; !found && i < c->nkids; i++)
        found = names_target(e, &c->kids[i]);
    return found;
}

/* Does the way to any entity depend on what this one writes? */
static bool reroutes(const struct plan *plan, const struct entity *e)
{
    bool found = is_target(e, plan->type);
    for (uint32_t i = 0; !found && i < plan->model->nentities; i++) {
        const struct entity *other = &plan->model->entities[i];
        found = names_target(e, other->when);
        for (uint32_t k = 0; !found && !other->when && k < other->keys.n; k++)
            found = is_target(e, other->keys.v[k].attribute);
    }
    return found;
}

static void make_entity(struct maker *m, uint32_t index)
{
    const struct entity *entity = &m->r->plan->model->entities[index];
    struct entity_recipe *e = m->e = &m->r->entities[index];
    e->entity = entity;
    if (entity->nbackfill == 0) {
        if (entity->backfill_when) {
            problems_add(m->problems, entity->place,
                         "entity \"%.*s\" has a condition for a backfill, but no \"backfill\"",
                         STR_FMT(entity->name));
        }
        return;
    }
    make_keys(m);
    e->targets = make_array(m, entity->nbackfill, sizeof *e->targets);
    for (uint32_t i = 0; !m->nomem && i < entity->nbackfill; i++) {
        make_target(m, &entity->backfill[i], &e->targets[e->ntargets++]);
        recipe_check_type(m->r->plan, index, &entity->backfill[i], m->problems);
    }
    if (m->nomem)
        return;
    add_reads(m, index);
    e->circular = e->circular || reroutes(m->r->plan, entity);
    if (!m->nomem && recipe_check_condition(e, m->problems))
        m->nomem = true;
}

static void make_primary_key(struct maker *m)
{
    const struct dynamodb_table *t = m->r->table;
    m->r->key = m->r->plan->key;
    if (!t)
        return;
    m->r->key = (struct names){.v = make_array(m, t->schema.n, sizeof *m->r->key.v)};
    for (size_t i = 0; m->r->key.v && i < t->schema.n; i++)
        m->r->key.v[m->r->key.n++] = t->schema.keys[i].name;
    if (m->r->key.v)
        recipe_check_key(m->r, m->problems);
}

enum rc recipe_new(const struct plan *plan, const struct dynamodb_table *table,
                   struct recipe **out, struct problems *problems, struct err *err)
{
    struct recipe *r = *out = calloc(1, sizeof *r);
    if (!r)
        return err_nomem(err);
    struct maker m = {.r = r, .problems = problems};
    const struct model *model = plan->model;
    uint32_t n = 0;
    arena_init(&r->arena, 4096);
    r->plan = plan;
    r->table = table;
    make_primary_key(&m);
    r->entities = make_array(&m, model->nentities, sizeof *r->entities);
    for (uint32_t i = 0; !m.nomem && i < model->nentities; i++) {
        make_entity(&m, i);
        n += model->entities[i].nbackfill > 0;
    }
    if (n == 0 && !m.nomem) {
        problems_add(
            problems, (struct place){0},
            "no entity has a \"backfill\"\nhint: say what to write, as in \"backfill\": "
            "{\"GSI1PK\": \"STATUS#{status}\"}");
    }
    enum rc rc = problems_verdict(problems, m.nomem, err);
    if (rc) {
        recipe_free(r);
        *out = NULL;
    }
    return rc;
}

void recipe_free(struct recipe *r)
{
    if (!r)
        return;
    arena_release(&r->arena);
    free(r);
}
