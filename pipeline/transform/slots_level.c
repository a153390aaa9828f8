/* SPDX-License-Identifier: MIT */
/*
 * Names the model mentions come from the plan; others are resolved when first seen: a column by
 * its name in snake case, an indexing glob, else the rest.
 */
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/plan/columns.h"
#include "pipeline/transform/slots_private.h"

static struct slots_level *level_new(const struct plan *plan, const struct shape *shape)
{
    struct slots_level *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->top = l;
    l->plan = plan;
    l->shape = shape;
    arena_init(&l->arena, 2048);
    map_init(&l->index);
    return l;
}

void slots_free(struct slots_level *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        slots_free(l->nodes[i]->below);
    free(l->nodes);
    map_release(&l->index);
    arena_release(&l->arena);
    free(l);
}

static enum rc remember(struct slots_level *l, struct slots_node *node)
{
    struct slots_node **v =
        memory_push(l->nodes, l->n, &l->cap, 16, sizeof(struct slots_node *));
    if (!v)
        return RC_NOMEM;
    l->nodes = v;
    l->nodes[l->n] = node;
    enum rc rc = map_put(&l->index, node->name, (uint32_t)l->n);
    l->n += !rc;
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

static bool is_key(const struct plan *plan, struct str name)
{
    for (uint32_t i = 0; i < plan->key.n; i++) {
        if (str_eq(name, plan->key.v[i]))
            return true;
    }
    return false;
}

/* Decides about a name that nobody takes: does the entity strip it, is it the type, or does it
   serve an index alone? The table's own keys are never left out for that. */
static void leave_out(const struct slots_level *l, struct slots_node *node, bool picked)
{
    const struct shape *s = l->shape;
    bool item = l->root && s->strip;
    bool stripped = picked || (l->root && in_names(&s->strips, node->name)) ||
                    (item && l->plan->type.n && str_eq(node->name, l->plan->type));
    bool indexed =
        item && !stripped && in_names(s->strip, node->name) && !is_key(l->plan, node->name);
    node->dropped = stripped || indexed;
    node->indexed = indexed && s->note_indexed != NOTE_NONE;
}

/* What becomes of it in items whose form of keys does not explain it. */
static void decide_otherwise(const struct slots_level *l, struct slots_node *node)
{
    struct slots_node other = {.name = node->name};
    leave_out(l, &other, false);
    node->otherwise_dropped = other.dropped;
    node->otherwise_indexed = other.indexed;
}

static struct path below_path(struct slots_level *l, struct str name, struct arena *a)
{
    struct path path = {arena_array(a, l->shown.n + 1, sizeof *path.members), l->shown.n + 1};
    if (!path.members)
        return (struct path){0};
    if (l->shown.n)
        memcpy(path.members, l->shown.members, l->shown.n * sizeof *path.members);
    path.members[l->shown.n] = name;
    return path;
}

/* Finds the slot of the column that takes a name which the model does not mention, or
   SLOT_NONE. */
static uint32_t open_slot(struct slots_level *l, const struct path *path)
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

static struct slots_level *deeper(struct slots_level *l, const struct path *shown,
                                  uint32_t flatten)
{
    struct slots_level *d = level_new(l->plan, l->shape);
    if (!d)
        return NULL;
    d->top = l->top;
    d->shown = *shown;
    d->flatten = flatten;
    return d;
}

static void simplify(const struct slots_level *l, struct slots_node *node)
{
    const struct shape *s = l->shape;
    bool kept = s->nulls_keep || node->exploded || node->explained ||
                (node->slot != SLOT_NONE && ((s->extract_only && s->extract_only[node->slot]) ||
                                             (s->may_lose && s->may_lose[node->slot])));
    bool parsed = node->slot != SLOT_NONE && s->parses && s->parses[node->slot];
    node->simple = !node->below && !parsed && (node->dropped || (node->consumed && !kept));
    node->plain = node->simple && !node->by_parts && !node->indexed;
}

struct slots_node *slots_learn(struct slots_level *l, struct str name)
{
    struct slots_node *node = ARENA_NEW(&l->arena, struct slots_node);
    if (!node)
        return NULL;
    *node = (struct slots_node){.name = arena_dup(&l->arena, name), .slot = SLOT_NONE};
    struct path path = below_path(l, node->name, &l->arena);
    if (!node->name.p || !path.members)
        return NULL;
    node->slot = open_slot(l, &path);
    node->consumed = node->slot != SLOT_NONE;
    if (!node->consumed)
        leave_out(l, node, l->picked);
    if (!node->consumed && l->flatten > 1) {
        node->below = deeper(l, &path, l->flatten - 1);
        if (!node->below)
            return NULL;
    }
    if (remember(l, node)) {
        slots_free(node->below);
        return NULL;
    }
    simplify(l, node);
    return node;
}

static enum rc add_known(struct slots_level *l, const struct name_node *from);

static enum rc add_level(struct slots_level *l, const struct name_node *from,
                         struct slots_node *node)
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
    for (const struct name_node *k = from->kids; !rc && k; k = k->next)
        rc = add_known(node->below, k);
    return rc;
}

static enum rc add_known(struct slots_level *l, const struct name_node *from)
{
    struct slots_node *node = ARENA_NEW(&l->arena, struct slots_node);
    if (!node)
        return RC_NOMEM;
    *node = (struct slots_node){.name = from->name,
                                .slot = from->slot,
                                .consumed = from->consumed,
                                .exploded = from->exploded,
                                .by_parts = from->by_parts,
                                .dropped = from->dropped,
                                .explained = from->explained};
    if (node->slot == SLOT_NONE && !from->gone) { /* the model names only members below it */
        struct path path = below_path(l, from->name, &l->arena);
        node->slot = path.members ? open_slot(l, &path) : SLOT_NONE;
        node->consumed = node->slot != SLOT_NONE;
    }
    if (!node->consumed && !node->dropped)
        leave_out(l, node, false);
    if (l->shape->formed && node->explained)
        decide_otherwise(l, node);
    l->drops |= !l->root && from->dropped;
    enum rc rc = remember(l, node);
    bool look_into = from->kids || from->flatten || (!node->consumed && l->flatten > 1);
    if (!rc && look_into)
        rc = add_level(l, from, node);
    simplify(l, node);
    return rc;
}

struct slots_level *slots_new(const struct plan *plan, const struct shape *shape)
{
    struct slots_level *l = level_new(plan, shape);
    if (!l)
        return NULL;
    l->root = true;
    l->picked = shape->picked;
    for (const struct name_node *k = shape->names->kids; k; k = k->next) {
        if (add_known(l, k)) {
            slots_free(l);
            return NULL;
        }
    }
    return l;
}

struct slots_node *slots_resolve_once(struct slots_level *l, struct str name, struct arena *a)
{
    struct slots_node *node = ARENA_NEW(a, struct slots_node);
    if (!node)
        return NULL;
    *node = (struct slots_node){.name = name, .slot = SLOT_NONE, .once = true};
    struct arena scratch = l->arena;
    arena_init(&l->arena, 512);
    struct path path = below_path(l, name, a);
    if (path.members)
        node->slot = open_slot(l, &path);
    arena_release(&l->arena);
    l->arena = scratch;
    node->consumed = node->slot != SLOT_NONE;
    if (!node->consumed)
        leave_out(l, node, l->picked);
    bool deep = !node->consumed && l->flatten > 1;
    if (deep)
        node->below = deeper(l, &path, l->flatten - 1);
    return path.members && (!deep || node->below) ? node : NULL;
}
