/* SPDX-License-Identifier: MIT */
/*
 * An entity needs the names its shape mentions. It needs no others only if it drops the rest
 * and every column says where it comes from: a column without `from` takes any attribute whose
 * name looks like its own, and those cannot be listed.
 */
#include "pipeline/plan/needs.h"

struct gather {
    struct arena *arena;
    struct needs *out;
    uint32_t cap;
    enum rc rc;
};

static void add(struct gather *g, struct str name)
{
    struct names *all = &g->out->names;
    for (uint32_t i = 0; i < all->n; i++) {
        if (str_eq(all->v[i], name))
            return;
    }
    if (all->n == g->cap) {
        uint32_t cap = g->cap ? g->cap * 2 : 32;
        struct str *v = arena_array(g->arena, cap, sizeof *v);
        if (!v) {
            g->rc = RC_NOMEM;
            return;
        }
        if (all->n)
            memcpy(v, all->v, all->n * sizeof *v);
        all->v = v;
        g->cap = cap;
    }
    all->v[all->n++] = name;
}

static void add_cond(struct gather *g, const struct cond *c)
{
    if (c->path.n)
        add(g, c->path.members[0]);
    for (uint32_t i = 0; i < c->nkids; i++)
        add_cond(g, &c->kids[i]);
}

static void add_shape(struct gather *g, const struct shape *shape)
{
    for (const struct name_node *k = shape->names->kids; k; k = k->next)
        add(g, k->name);
    bool closed = shape->picked || (shape->rest == REST_DROP && shape->open.count == 0);
    if (!closed || shape->rest_column != SLOT_NONE)
        g->out->rest = true;
}

static void add_entity(struct gather *g, const struct entity *e)
{
    if (e->when)
        add_cond(g, e->when);
    for (uint32_t i = 0; i < e->keys.n; i++)
        add(g, e->keys.v[i].attribute);
}

enum rc plan_needs(const struct plan *plan, struct arena *a, struct needs *out)
{
    struct gather g = {.arena = a, .out = out};
    *out = (struct needs){0};
    for (uint32_t i = 0; i < plan->key.n; i++)
        add(&g, plan->key.v[i]);
    if (plan->type.n)
        add(&g, plan->type);
    if (plan->ttl.n)
        add(&g, plan->ttl);
    for (uint32_t i = 0; i < plan->model->nentities; i++) {
        add_entity(&g, &plan->model->entities[i]);
        add_shape(&g, plan->shapes[i]);
    }
    return g.rc;
}
