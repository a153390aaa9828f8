/* SPDX-License-Identifier: MIT */
/*
 * Which columns a flattened attribute fills: those of members that the model mentions, and those
 * that are called like its path and more. An attribute of the item may be called like one of these
 * as well; it comes first.
 */
#include "pipeline/plan/plan_private.h"

struct gather {
    struct scope *scope;
    struct null_members *to; /* NULL: they are counted */
    uint32_t n;
};

static void add(struct gather *g, uint32_t slot)
{
    if (g->to)
        g->to->members[g->n] = slot;
    g->n++;
}

static void add_kids(struct gather *g, const struct name_node *at)
{
    for (const struct name_node *k = at->kids; k; k = k->next) {
        if (k->slot != SLOT_NONE && k->consumed && !k->exploded)
            add(g, k->slot);
        add_kids(g, k);
    }
}

static bool is_below(struct str column, struct str path)
{
    return path.n && column.n > path.n && str_starts(column, path) && column.p[path.n] == '_';
}

static void add_open(struct gather *g, const struct name_node *node)
{
    struct arena *a = g->scope->planner->arena;
    struct str joined = path_join(a, &node->shown), snake = name_snake(a, &node->shown);
    const struct map *open = &g->scope->shape->open;
    for (size_t i = 0; i < open->cap; i++) {
        struct str column = open->entries[i].key;
        if (open->entries[i].used && (is_below(column, joined) || is_below(column, snake)))
            add(g, open->entries[i].value);
    }
}

static void gather(struct scope *s, const struct name_node *node, struct null_members *to)
{
    struct gather count = {.scope = s}, fill = {.scope = s, .to = to};
    add_kids(&count, node);
    add_open(&count, node);
    *to = (struct null_members){.slot = node->slot, .n = count.n};
    to->members = plan_array(s->planner, count.n, sizeof *to->members);
    if (!to->members)
        return;
    add_kids(&fill, node);
    add_open(&fill, node);
}

static void look(struct scope *s, const struct name_node *at, size_t *cap)
{
    struct shape *shape = s->shape;
    for (const struct name_node *k = at->kids; k; k = k->next) {
        look(s, k, cap);
        if (!k->flatten || k->slot == SLOT_NONE || k->consumed)
            continue;
        struct null_members *v =
            plan_append(s->planner, shape->flattened, shape->nflattened, cap, sizeof *v);
        if (!v)
            return;
        shape->flattened = v;
        gather(s, k, &v[shape->nflattened]);
        shape->nflattened += v[shape->nflattened].n > 0;
    }
}

void build_flattened(struct scope *s)
{
    struct shape *shape = s->shape;
    size_t cap = 0;
    look(s, shape->names, &cap);
    if (shape->nflattened)
        shape->nulled = plan_array(s->planner, shape->nslots, sizeof *shape->nulled);
    for (uint32_t i = 0; shape->nulled && i < shape->nflattened; i++)
        shape->nulled[shape->flattened[i].slot] = true;
}
