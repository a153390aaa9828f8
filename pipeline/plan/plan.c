/* SPDX-License-Identifier: MIT */
/* Compiles a model: entities in order, then what needs all of them. */
#include "pipeline/plan/plan.h"

#include <stdlib.h>

#include "pipeline/plan/build.h"

static enum rc index_types(struct plan *plan, const struct entity *e, uint32_t index)
{
    if (e->when)
        return RC_OK;
    if (map_get(&plan->types, e->name) == MAP_NONE &&
        map_put(&plan->types, e->name, index) != RC_OK)
        return RC_NOMEM;
    for (uint32_t i = 0; i < e->types.n; i++) {
        if (map_get(&plan->types, e->types.v[i]) == MAP_NONE &&
            map_put(&plan->types, e->types.v[i], index) != RC_OK)
            return RC_NOMEM;
    }
    return RC_OK;
}

static enum rc compile(struct plan *plan, struct planner *p)
{
    const struct model *m = plan->model;
    plan->note_ttl = plan_note(p, "filtered by ttl");
    plan->shapes = plan_array(p, m->nentities, sizeof(struct shape *));
    if (!plan->shapes)
        return RC_NOMEM;
    for (uint32_t i = 0; i < m->nentities; i++) { /* entity tables before extracted ones */
        if (build_table(p, m->entities[i].table, TABLE_ENTITY) == UINT32_MAX)
            return RC_NOMEM;
    }
    bool broken =
        false; /* what depends on a broken entity would only be told wrong things of */
    for (uint32_t i = 0; i < m->nentities; i++) {
        broken |= m->entities[i].broken;
        if (m->entities[i].broken)
            continue;
        plan->shapes[i] = build_entity(p, &m->entities[i]);
        if (!plan->shapes[i] || index_types(plan, &m->entities[i], i) != RC_OK)
            return RC_NOMEM;
    }
    if (!broken) {
        build_extracts(p);
        build_references(p);
        build_check_names(p);
    }
    return p->rc;
}

static void set_options(struct plan *plan, const struct plan_options *opts)
{
    const struct model *m = plan->model;
    plan->type = m->type;
    plan->ttl = opts->ttl_given || m->ttl.n == 0 ? opts->ttl : m->ttl;
    plan->key = m->key.n ? m->key : opts->key;
    plan->indexing = m->indexing_given ? m->indexing : opts->indexing;
}

enum rc plan_new(const struct model *m, const struct plan_options *opts, struct plan **out,
                 struct problems *problems, struct err *err)
{
    struct plan *plan = calloc(1, sizeof *plan);
    *out = NULL;
    if (!plan)
        return err_nomem(err);
    arena_init(&plan->arena, 16384);
    map_init(&plan->types);
    plan->model = m;
    set_options(plan, opts);
    struct planner p = {
        .arena = &plan->arena, .model = m, .indexing = &plan->indexing, .problems = problems};
    enum rc rc = compile(plan, &p);
    plan->schema = (struct schema){.name = m->name,
                                   .tables = p.tables,
                                   .ntables = p.ntables,
                                   .extracts = p.extracts,
                                   .nextracts = p.nextracts,
                                   .notes = p.notes,
                                   .nnotes = p.nnotes};
    plan->mask_used = p.mask_used;
    if (rc == RC_NOMEM) {
        rc = err_nomem(err);
    } else if (problems->count) {
        rc = err_set(err, RC_USAGE, "the model has %zu %s", problems->count,
                     problems->count == 1 ? "error" : "errors");
    }
    if (rc != RC_OK) {
        plan_free(plan);
        plan = NULL;
    }
    *out = plan;
    return rc;
}

static void shape_free(struct shape *shape)
{
    if (!shape)
        return;
    for (uint32_t i = 0; i < shape->nexplodes; i++)
        shape_free(shape->explodes[i].shape);
    map_release(&shape->open);
}

void plan_free(struct plan *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; p->shapes && i < p->model->nentities; i++)
        shape_free(p->shapes[i]);
    map_release(&p->types);
    arena_release(&p->arena);
    free(p);
}
