/* SPDX-License-Identifier: MIT */
/*
 * Puts the values of an item into slots. After a name the one is expected that followed it last
 * time. Names that the model does not mention are resolved when first seen and remembered, up to a
 * bound for all levels together: beyond it they are resolved anew each time.
 */
#include "pipeline/run/walk_private.h"

enum { MAX_LEARNT = 2000 };

/* Nothing of an item refers to the levels below any more. */
static void forget(struct node *node)
{
    walk_free(node->below);
    node->below = NULL;
}

static struct node *search(struct walk_level *l, struct node **guess, struct str name,
                           struct arena *a)
{
    struct node *node;
    uint32_t at = map_get(&l->index, name);
    if (at != MAP_NONE) {
        node = l->nodes[at];
    } else if (l->top->learnt < MAX_LEARNT) {
        l->top->learnt++;
        node = walk_learn(l, name);
    } else {
        return walk_resolve_once(l, name, a);
    }
    *guess = node;
    return node;
}

static inline struct node *find(struct walk_level *l, struct node **guess, struct str name,
                                struct arena *a)
{
    struct node *node = *guess;
    return node && str_eq(node->name, name) ? node : search(l, guess, name, a);
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
        if (node->simple) {
            rc = set_slot(node, &members[i], f);
            continue;
        }
        rc = place(node, &members[i], f, rest);
        if (node->once)
            forget(node);
    }
    return rc;
}
