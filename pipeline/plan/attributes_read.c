/* SPDX-License-Identifier: MIT */
/*
 * An entity needs the names its shape mentions. It needs no others if it drops the rest and the
 * names that fill its columns are known: a column without `from` takes any attribute whose name
 * looks like its own, and those can be listed for short names only.
 */
#include "pipeline/plan/attributes_read.h"

struct gather {
    struct arena *arena;
    struct attributes_read *out;
    enum rc rc;
};

static bool has(const struct names *all, struct str name)
{
    for (uint32_t i = 0; i < all->n; i++) {
        if (str_eq(all->v[i], name))
            return true;
    }
    return false;
}

static void add_to(struct gather *g, struct names *all, struct str name)
{
    enum { FIRST = 32 };
    if (has(all, name))
        return;
    /* The array has room for 32, 64, 128 ... names, so it is full when n is one of these. */
    if (all->n == 0 || (all->n >= FIRST && (all->n & (all->n - 1)) == 0)) {
        struct str *v = arena_array(g->arena, all->n ? 2 * all->n : FIRST, sizeof *v);
        if (!v) {
            g->rc = RC_NOMEM;
            return;
        }
        if (all->n)
            memcpy(v, all->v, all->n * sizeof *v);
        all->v = v;
    }
    all->v[all->n++] = name;
}

static void add(struct gather *g, struct str name)
{
    add_to(g, &g->out->names, name);
}

static void add_cond(struct gather *g, const struct cond *c)
{
    if (c->path.n)
        add(g, c->path.members[0]);
    for (uint32_t i = 0; i < c->nkids; i++)
        add_cond(g, &c->kids[i]);
}

static void add_open(struct gather *g, struct str column)
{
    struct names spellings;
    enum rc rc = name_spellings(g->arena, column, &spellings);
    if (rc == RC_NONE) {
        add_to(g, &g->out->unlisted, column);
    } else if (rc) {
        g->rc = rc;
    }
    for (uint32_t i = 0; !rc && i < spellings.n; i++)
        add_to(g, &g->out->maybe, spellings.v[i]);
}

static void add_shape(struct gather *g, const struct shape *shape)
{
    for (const struct name_node *k = shape->names->kids; k; k = k->next)
        add(g, k->name);
    if (shape->rest_column != SLOT_NONE || (!shape->picked && shape->rest != REST_DROP))
        g->out->kept = true;
    for (size_t i = 0; !shape->picked && i < shape->open.cap; i++) {
        if (shape->open.entries[i].used)
            add_open(g, shape->open.entries[i].key);
    }
}

static void add_entity(struct gather *g, const struct entity *e)
{
    if (e->when)
        add_cond(g, e->when);
    for (uint32_t i = 0; i < e->keys.n; i++)
        add(g, e->keys.v[i].attribute);
}

enum rc plan_attributes_read(const struct plan *plan, struct arena *a,
                             struct attributes_read *out)
{
    struct gather g = {.arena = a, .out = out};
    *out = (struct attributes_read){0};
    for (uint32_t i = 0; i < plan->key.n; i++)
        add(&g, plan->key.v[i]);
    if (plan->type.n)
        add(&g, plan->type);
    if (plan->ttl.n)
        add(&g, plan->ttl);
    for (uint32_t i = 0; i < plan->model->nentities; i++) {
        add_entity(&g, &plan->model->entities[i]);
        if (plan->shapes[i])
            add_shape(&g, plan->shapes[i]);
    }
    out->rest = out->kept || out->unlisted.n > 0;
    return g.rc;
}
