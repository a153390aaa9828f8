/* SPDX-License-Identifier: MIT */
/* Compiles a model: entities in order, then what needs all of them. */
#include "pipeline/plan/plan.h"

#include <stdlib.h>

#include "pipeline/plan/plan_private.h"
#include "pipeline/profile/layout.h"

static enum rc index_types(struct plan *plan, const struct entity *e, uint32_t index)
{
    if (e->when) {
        plan->whens[plan->nwhens++] = index;
        return RC_OK;
    }
    if (map_get(&plan->types, e->name) == MAP_NONE && map_put(&plan->types, e->name, index))
        return RC_NOMEM;
    for (uint32_t i = 0; i < e->types.n; i++) {
        if (map_get(&plan->types, e->types.v[i]) == MAP_NONE &&
            map_put(&plan->types, e->types.v[i], index))
            return RC_NOMEM;
    }
    return RC_OK;
}

static bool taken(const bool *take, uint32_t entity)
{
    return !take || take[entity];
}

static enum rc compile(struct plan *plan, struct planner *p, const bool *take)
{
    const struct model *m = plan->model;
    plan->note_ttl = plan_note(p, "filtered by ttl");
    plan->note_left_out = take ? plan_note(p, "filtered: of other entities") : NOTE_NONE;
    plan->shapes = plan_array(p, m->nentities, sizeof(struct shape *));
    plan->whens = plan_array(p, m->nentities, sizeof *plan->whens);
    if (!plan->shapes || !plan->whens)
        return RC_NOMEM;
    /* The tables of entities come first, those of children and extracts behind them. */
    for (uint32_t i = 0; i < m->nentities; i++) {
        if (taken(take, i) && build_table(p, m->entities[i].table, TABLE_ENTITY) == UINT32_MAX)
            return RC_NOMEM;
    }
    bool broken = false;
    for (uint32_t i = 0; i < m->nentities; i++) {
        broken |= m->entities[i].broken;
        if (m->entities[i].broken)
            continue;
        p->key = plan_key_for(plan, &m->entities[i]);
        if (taken(take, i))
            plan->shapes[i] = build_entity(p, &m->entities[i]);
        if ((taken(take, i) && !plan->shapes[i]) || index_types(plan, &m->entities[i], i))
            return RC_NOMEM;
    }
    for (uint32_t i = 0; i < m->nentities; i++) {
        if (plan->shapes[i])
            build_index_notes(p, plan->shapes[i]);
        if (plan->shapes[i])
            build_nullable(p, plan->shapes[i]);
    }
    /* Beside a broken entity the checks across entities would report what is not wrong. */
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
    for (uint32_t i = 0; i < m->nentities; i++)
        plan->placed = plan->placed || m->entities[i].source.n;
    plan->indexing = m->indexing_given ? m->indexing : opts->indexing;
}

static enum rc name_entities(struct plan *plan, struct planner *p, const bool *take)
{
    uint32_t n = plan->model->nentities;
    plan->schema.entities = plan_array(p, n, sizeof *plan->schema.entities);
    plan->schema.left_out = plan_array(p, n, sizeof *plan->schema.left_out);
    for (uint32_t i = 0; plan->schema.entities && plan->schema.left_out && i < n; i++) {
        plan->schema.entities[i] = plan->model->entities[i].name;
        plan->schema.left_out[i] = !taken(take, i);
    }
    plan->schema.nentities = plan->schema.entities ? n : 0;
    return p->rc;
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
    enum rc rc = plan_sources(plan, opts);
    struct planner p = {.arena = &plan->arena,
                        .model = m,
                        .indexing = &plan->indexing,
                        .key = &plan->key,
                        .reserved = opts->reserved,
                        .problems = problems};
    map_init(&p.note_at);
    map_init(&p.table_at);
    p.rc = rc;
    rc = compile(plan, &p, opts->take);
    map_release(&p.note_at);
    map_release(&p.table_at);
    plan->schema = (struct schema){.name = m->name,
                                   .tables = p.tables,
                                   .ntables = p.ntables,
                                   .extracts = p.extracts,
                                   .nextracts = p.nextracts,
                                   .notes = p.notes,
                                   .nnotes = p.nnotes,
                                   .stages = p.stages,
                                   .nstages = p.nstages};
    if (rc != RC_NOMEM)
        rc = name_entities(plan, &p, opts->take);
    plan->schema.nprofile = profile_layout_size(&plan->schema);
    plan->mask_used = p.mask_used;
    plan->masks = p.masks;
    rc = problems_verdict(problems, rc == RC_NOMEM, err);
    if (rc) {
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
