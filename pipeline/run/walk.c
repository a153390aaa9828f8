/* SPDX-License-Identifier: MIT */
/*
 * Levels mirror the maps of an item. Names the model mentions come from the plan; others are
 * resolved when first seen (a column by its name in snake case, an indexing glob, else the
 * rest) and remembered, up to a bound for all levels together: beyond it they are resolved
 * anew each time.
 */
#include "pipeline/run/walk.h"

#include <stdlib.h>

#include "pipeline/plan/plan.h"
#include "pipeline/stage/columns.h"

enum { MAX_LEARNT = 2000 };

struct node {
    struct str name;
    uint32_t slot;
    bool consumed, exploded, dropped;
    bool simple;              /* never a part of it is left: its value goes to the slot */
    bool once;                /* made for this item alone */
    struct walk_level *below; /* NULL: the value is not looked into */
    struct node *guess;       /* what followed this one last time */
};

struct walk_level {
    struct walk_level *top; /* of the item */
    uint32_t learnt;        /* by the top and all below it */
    const struct plan *plan;
    const struct shape *shape;
    struct path shown; /* the path columns see below this level; n == 0 at the root */
    uint32_t flatten;  /* how many levels from here on are matched with columns */
    bool root;
    bool picked; /* names that are not mentioned are dropped */
    bool drops;  /* a stage drops some member */
    struct arena arena;
    struct map index;
    struct node **nodes;
    size_t n, cap;
    struct node *first; /* the guess for the first member */
};

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

static struct node *learn(struct walk_level *l, struct str name)
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

/* Past the bound a name is resolved into the page's arena and forgotten: see forget. */
static struct node *resolve_once(struct walk_level *l, struct str name, struct arena *a)
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

/* Nothing of an item refers to the levels below any more. */
static void forget(struct node *node)
{
    walk_free(node->below);
    node->below = NULL;
}

static struct node *find(struct walk_level *l, struct node **guess, struct str name,
                         struct arena *a)
{
    struct node *node = *guess;
    if (node && str_eq(node->name, name))
        return node;
    uint32_t at = map_get(&l->index, name);
    if (at != MAP_NONE) {
        node = l->nodes[at];
    } else if (l->top->learnt < MAX_LEARNT) {
        l->top->learnt++;
        node = learn(l, name);
    } else {
        return resolve_once(l, name, a);
    }
    *guess = node;
    return node;
}

static enum rc rest_add(struct rest_list *rest, struct arena *a, const struct rest_entry *e)
{
    if (rest->n == rest->cap) {
        uint32_t cap = rest->cap ? rest->cap * 2 : 16;
        struct rest_entry *v = arena_alloc(a, cap * sizeof *v);
        if (!v)
            return RC_NOMEM;
        if (rest->n)
            memcpy(v, rest->v, rest->n * sizeof *v);
        rest->v = v;
        rest->cap = cap;
    }
    rest->v[rest->n++] = *e;
    return RC_OK;
}

static enum rc set_slot(const struct node *node, const struct member *m, struct frame *f)
{
    if (node->slot == SLOT_NONE)
        return RC_OK;
    if (f->slots[node->slot]) {
        return fault_set(f->why, "ambiguous", 0,
                         "\"%.*s\" and another attribute claim the same column",
                         STR_FMT(m->name));
    }
    f->slots[node->slot] = &m->val;
    return RC_OK;
}

/* Takes dropped members out of a map that may be seen as a whole. They go to the end: stages
   before the drop still read them. */
static enum rc hide_dropped(struct walk_level *l, const struct val *map, struct arena *a)
{
    union {
        const struct val *in;
        struct val *out;
    } v = {.in = map}; /* of the page: the worker's own */
    struct member *m = arena_array(a, map->n, sizeof *m);
    uint32_t kept = 0, end = map->n;
    if (!m)
        return RC_NOMEM;
    for (uint32_t i = 0; i < map->n; i++) {
        uint32_t at = map_get(&l->index, map->u.members[i].name);
        bool dropped = at != MAP_NONE && l->nodes[at]->dropped;
        m[dropped ? --end : kept++] = map->u.members[i];
    }
    v.out->u.members = m;
    v.out->n = kept;
    return RC_OK;
}

/* A map of which a part is left is put together when the stages are done with its members. */
static enum rc look_into(struct node *node, const struct member *m, struct frame *f,
                         struct rest_list *rest)
{
    struct rest_list left = {0};
    const struct val *v = &m->val;
    uint32_t n = v->n;
    enum rc rc = node->below->drops ? hide_dropped(node->below, v, f->arena) : RC_OK;
    if (rc == RC_OK)
        rc = walk_members(node->below, v->u.members, n, f, &left);
    if (rc != RC_OK || left.n == 0 || node->dropped || node->consumed)
        return rc;
    struct rest_list *below = ARENA_NEW(f->arena, struct rest_list);
    if (!below)
        return RC_NOMEM;
    *below = left;
    struct rest_entry e = {.name = m->name, .below = below, .slot = node->slot};
    return rest_add(rest, f->arena, &e);
}

static enum rc place(struct node *node, const struct member *m, struct frame *f,
                     struct rest_list *rest)
{
    const struct val *v = &m->val;
    enum rc rc = set_slot(node, m, f);
    if (rc != RC_OK)
        return rc;
    if (node->below && v->kind == VAL_M && v->n)
        return look_into(node, m, f, rest);
    bool list = v->kind == VAL_L || v->kind == VAL_M || v->kind >= VAL_SS;
    bool empty = v->kind == VAL_NULL || (list && v->n == 0);
    bool kept = v->kind == VAL_NULL && f->shape->nulls_keep;
    bool extracted = node->consumed && node->slot != SLOT_NONE && f->shape->extract_only &&
                     f->shape->extract_only[node->slot];
    bool taken = node->consumed && !extracted && !(node->exploded && empty) && !kept;
    if (node->dropped || taken)
        return RC_OK;
    struct rest_entry e = {
        .name = m->name, .val = v, .slot = node->slot, .extracted = extracted && !kept};
    return rest_add(rest, f->arena, &e);
}

enum rc walk_members(struct walk_level *l, const struct member *members, uint32_t n,
                     struct frame *f, struct rest_list *rest)
{
    struct node **guess = &l->first;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; rc == RC_OK && i < n; i++) {
        struct node *node = find(l, guess, members[i].name, f->arena);
        if (!node)
            return RC_NOMEM;
        guess = &node->guess;
        rc = node->simple ? set_slot(node, &members[i], f) : place(node, &members[i], f, rest);
        if (node->once)
            forget(node);
    }
    return rc;
}
