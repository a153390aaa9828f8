/* SPDX-License-Identifier: MIT */
/*
 * Names the model mentions come from the plan; others are resolved when first seen: a column by its
 * name in snake case, an indexing glob, else the rest.
 */
#include <stdlib.h>

#include "pipeline/run/walk_private.h"
#include "pipeline/stage/columns.h"

static struct walk_level *level_new(const struct plan *plan, const struct shape *shape)
{
    struct walk_level *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->top = l;
    l->plan = plan;
    l->shape = shape;
    arena_init(&l->arena, 2048);
    map_init(&l->index);
    return l;
}

void walk_free(struct walk_level *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        walk_free(l->nodes[i]->below);
    free(l->nodes);
    map_release(&l->index);
    arena_release(&l->arena);
    free(l);
}

static enum rc remember(struct walk_level *l, struct node *node)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        struct node **v = realloc(l->nodes, cap * sizeof(struct node *));
        if (!v)
            return RC_NOMEM;
        l->nodes = v;
        l->cap = cap;
    }
    l->nodes[l->n] = node;
    enum rc rc = map_put(&l->index, node->name, (uint32_t)l->n);
    l->n += rc == RC_OK;
    return rc;
}

static bool in_names(const struct names *globs, struct str name)
{
    for (uint32_t i = 0; globs && i < globs->n; i++) {
        if (str_glob(name, globs->v[i]))
            return true;
    }
    return false;
}

/* Attributes that serve DynamoDB: never part of the rest. */
static bool is_indexing(const struct walk_level *l, struct str name)
{
    if (!l->root || !l->shape->strip)
        return in_names(&l->shape->strips, name) && l->root;
    if (in_names(l->shape->strip, name) || in_names(&l->shape->strips, name))
        return true;
    if (str_eq(name, l->plan->type))
        return true;
    for (uint32_t i = 0; i < l->plan->key.n; i++) {
        if (str_eq(name, l->plan->key.v[i]))
            return true;
    }
    return false;
}

static struct path below_path(struct walk_level *l, struct str name, struct arena *a)
{
    struct path path = {arena_array(a, l->shown.n + 1, sizeof *path.members), l->shown.n + 1};
    if (!path.members)
        return (struct path){0};
    if (l->shown.n)
        memcpy(path.members, l->shown.members, l->shown.n * sizeof *path.members);
    path.members[l->shown.n] = name;
    return path;
}

/* The open slot of the column that a name nobody mentions belongs to, or SLOT_NONE. */
static uint32_t open_slot(struct walk_level *l, const struct path *path)
{
    bool matched = l->root || l->flatten > 0;
    if (!matched || l->shape->picked)
        return SLOT_NONE;
    struct str joined = path_join(&l->arena, path);
    uint32_t slot = joined.p ? map_get(&l->shape->open, joined) : MAP_NONE;
    if (slot != MAP_NONE)
        return slot;
    struct str snake = name_snake(&l->arena, path);
    slot = snake.p ? map_get(&l->shape->open, snake) : MAP_NONE;
    return slot == MAP_NONE ? SLOT_NONE : slot;
}

static struct walk_level *deeper(struct walk_level *l, const struct path *shown,
                                 uint32_t flatten)
{
    struct walk_level *d = level_new(l->plan, l->shape);
    if (!d)
        return NULL;
    d->top = l->top;
    d->shown = *shown;
    d->flatten = flatten;
    return d;
}

static void simplify(const struct walk_level *l, struct node *node)
{
    const struct shape *s = l->shape;
    bool kept = s->nulls_keep || node->exploded ||
                (node->slot != SLOT_NONE && s->extract_only && s->extract_only[node->slot]);
    node->simple = !node->below && (node->dropped || (node->consumed && !kept));
}

struct node *walk_learn(struct walk_level *l, struct str name)
{
    struct node *node = ARENA_NEW(&l->arena, struct node);
    if (!node)
        return NULL;
    *node = (struct node){.name = arena_dup(&l->arena, name), .slot = SLOT_NONE};
    struct path path = below_path(l, node->name, &l->arena);
    if (!node->name.p || !path.members)
        return NULL;
    node->slot = open_slot(l, &path);
    node->consumed = node->slot != SLOT_NONE;
    if (!node->consumed)
        node->dropped = is_indexing(l, name) || l->picked;
    if (!node->consumed && l->flatten > 1) {
        node->below = deeper(l, &path, l->flatten - 1);
        if (!node->below)
            return NULL;
    }
    if (remember(l, node) != RC_OK) {
        walk_free(node->below);
        return NULL;
    }
    simplify(l, node);
    return node;
}

static enum rc add_known(struct walk_level *l, const struct name_node *from);

static enum rc add_level(struct walk_level *l, const struct name_node *from, struct node *node)
{
    struct path shown = from->flatten ? from->shown : (struct path){0};
    if (!from->flatten && l->flatten > 1)
        shown = below_path(l, from->name, &l->arena);
    uint32_t flatten = from->flatten ? from->flatten : l->flatten > 1 ? l->flatten - 1 : 0;
    node->below = deeper(l, &shown, flatten);
    if (!node->below)
        return RC_NOMEM;
    node->below->picked = l->picked && from->slot == SLOT_NONE;
    enum rc rc = RC_OK;
    for (const struct name_node *k = from->kids; rc == RC_OK && k; k = k->next)
        rc = add_known(node->below, k);
    return rc;
}

static enum rc add_known(struct walk_level *l, const struct name_node *from)
{
    struct node *node = ARENA_NEW(&l->arena, struct node);
    if (!node)
        return RC_NOMEM;
    *node = (struct node){.name = from->name,
                          .slot = from->slot,
                          .consumed = from->consumed,
                          .exploded = from->exploded,
                          .dropped = from->dropped};
    if (node->slot == SLOT_NONE && !from->gone) { /* only what is below it was mentioned */
        struct path path = below_path(l, from->name, &l->arena);
        node->slot = path.members ? open_slot(l, &path) : SLOT_NONE;
        node->consumed = node->slot != SLOT_NONE;
    }
    if (!node->consumed && !node->dropped)
        node->dropped = is_indexing(l, from->name);
    l->drops |= !l->root && from->dropped;
    enum rc rc = remember(l, node);
    bool look_into = from->kids || from->flatten || (!node->consumed && l->flatten > 1);
    if (rc == RC_OK && look_into)
        rc = add_level(l, from, node);
    simplify(l, node);
    return rc;
}

struct walk_level *walk_new(const struct plan *plan, const struct shape *shape)
{
    struct walk_level *l = level_new(plan, shape);
    if (!l)
        return NULL;
    l->root = true;
    l->picked = shape->picked;
    for (const struct name_node *k = shape->names->kids; k; k = k->next) {
        if (add_known(l, k) != RC_OK) {
            walk_free(l);
            return NULL;
        }
    }
    return l;
}

struct node *walk_resolve_once(struct walk_level *l, struct str name, struct arena *a)
{
    struct node *node = ARENA_NEW(a, struct node);
    if (!node)
        return NULL;
    bool dropped = is_indexing(l, name) || l->picked;
    *node = (struct node){.name = name, .slot = SLOT_NONE, .dropped = dropped, .once = true};
    struct arena scratch = l->arena;
    arena_init(&l->arena, 512);
    struct path path = below_path(l, name, a);
    if (path.members)
        node->slot = open_slot(l, &path);
    arena_release(&l->arena);
    l->arena = scratch;
    node->consumed = node->slot != SLOT_NONE;
    node->dropped = node->dropped && !node->consumed;
    bool deep = !node->consumed && l->flatten > 1;
    if (deep)
        node->below = deeper(l, &path, l->flatten - 1);
    return path.members && (!deep || node->below) ? node : NULL;
}
