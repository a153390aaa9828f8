/* SPDX-License-Identifier: MIT */
/*
 * Puts the values of an item into slots. After a name, the name that followed it last time is
 * expected. Names that the model does not mention are resolved when first seen and remembered,
 * up to a bound for all levels together: beyond it they are resolved anew each time.
 */
#include "pipeline/transform/slots_private.h"

enum { MAX_LEARNT = 2000 };

/* Frees the levels below a name; nothing of an item may refer to them any more. */
static void forget(struct slots_node *node)
{
    slots_free(node->below);
    node->below = NULL;
}

static struct slots_node *search(struct slots_level *l, struct slots_node **guess,
                                 struct str name, struct arena *a)
{
    struct slots_node *node;
    uint32_t at = map_get(&l->index, name);
    if (at != MAP_NONE) {
        node = l->nodes[at];
    } else if (l->top->learnt < MAX_LEARNT) {
        l->top->learnt++;
        node = slots_learn(l, name);
    } else {
        return slots_resolve_once(l, name, a);
    }
    *guess = node;
    return node;
}

static inline struct slots_node *find(struct slots_level *l, struct slots_node **guess,
                                      struct str name, struct arena *a)
{
    struct slots_node *node = *guess;
    return node && str_eq(node->name, name) ? node : search(l, guess, name, a);
}

static enum rc rest_add(struct rest_list *rest, struct arena *a, const struct rest_entry *e)
{
    struct rest_entry *v = arena_push(a, rest->v, rest->n, &rest->cap, 16, sizeof *v);
    if (!v)
        return RC_NOMEM;
    rest->v = v;
    rest->v[rest->n++] = *e;
    return RC_OK;
}

static enum rc set_slot(const struct slots_node *node, const struct member *m, struct frame *f)
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

/* Takes dropped members out of a map that may be seen as a whole. They go behind its end,
   where stages before the drop still read them. */
static enum rc hide_dropped(struct slots_level *l, const struct val *map, struct arena *a)
{
    union {
        const struct val *in;
        struct val *out;
    } v = {.in = map}; /* the worker owns the page, so it may write */
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

/* Puts the members of a map into slots. What is left of the map is put together when the stages
   are done with its members. */
static enum rc look_into(struct slots_node *node, const struct member *m, struct frame *f,
                         struct rest_list *rest)
{
    struct rest_list left = {0};
    const struct val *v = &m->val;
    uint32_t n = v->n;
    enum rc rc = node->below->drops ? hide_dropped(node->below, v, f->arena) : RC_OK;
    if (!rc)
        rc = slots_members(node->below, v->u.members, n, f, &left);
    if (rc || left.n == 0 || node->dropped || node->consumed)
        return rc;
    struct rest_list *below = ARENA_NEW(f->arena, struct rest_list);
    if (!below)
        return RC_NOMEM;
    *below = left;
    struct rest_entry e = {.name = m->name, .below = below, .slot = node->slot};
    return rest_add(rest, f->arena, &e);
}

/* Of a node that is simple, and not plain: is it simple for that value, too? */
static bool is_simple(const struct slots_node *node, const struct member *m, struct frame *f)
{
    if (node->by_parts && m->val.kind == VAL_NULL)
        return false;
    if (node->indexed)
        left_outs_add(&f->notes->left, m);
    return true;
}

static bool is_null_text(const struct parse_rule *rule, struct str text)
{
    for (uint32_t i = 0; rule->null_if && i < rule->null_if->n; i++) {
        if (str_eq(rule->null_if->v[i], text))
            return true;
    }
    return false;
}

/* What the text of a member spells takes its place. A text that a column takes for NULL is left to
   that. */
static enum rc parse(const struct parse_rule *rule, const struct member **m, struct frame *f)
{
    struct fault why = {0};
    struct str text = (*m)->val.u.s;
    if ((*m)->val.kind != VAL_S || is_null_text(rule, text))
        return RC_OK;
    struct member *own = ARENA_NEW(f->arena, struct member);
    if (!own)
        return RC_NOMEM;
    own->name = (*m)->name;
    enum rc rc = decoder_parse(f->decoder, rule->form, text, f->arena, &own->val, &why);
    if (rc == RC_DATA && rule->keep) {
        notes_add(f->notes, rule->note, 1);
        return RC_OK;
    }
    if (rc == RC_DATA) {
        f->why->column = own->name;
        return fault_set(f->why, "parse", 0, "the text of \"%.*s\" is not %s: byte %llu: %s",
                         STR_FMT(own->name),
                         rule->form == DECODER_PLAIN ? "JSON" : "DynamoDB JSON",
                         (unsigned long long)why.position, why.detail);
    }
    if (!rc)
        *m = own;
    return rc;
}

static const struct parse_rule *parse_of(const struct slots_node *node, const struct frame *f)
{
    bool known = node->slot != SLOT_NONE && f->shape->parses;
    return known ? f->shape->parses[node->slot] : NULL;
}

static bool has_flag(const bool *by_slot, uint32_t slot)
{
    return slot != SLOT_NONE && by_slot && by_slot[slot];
}

/* What is left of a value when its slot has it: nothing, or an entry of the rest. */
static enum rc leave(const struct slots_node *node, const struct member *m, struct frame *f,
                     struct rest_list *rest)
{
    const struct val *v = &m->val;
    bool may_lose = has_flag(f->shape->may_lose, node->slot);
    bool list = v->kind == VAL_L || v->kind == VAL_M || v->kind >= VAL_SS;
    bool empty = v->kind == VAL_NULL || (list && v->n == 0);
    bool kept = v->kind == VAL_NULL && f->shape->nulls_keep;
    bool extracted = node->consumed && has_flag(f->shape->extract_only, node->slot);
    bool null = node->by_parts && v->kind == VAL_NULL;
    if (v->kind == VAL_NULL && !kept && has_flag(f->shape->nulled, node->slot))
        return RC_OK; /* its members' columns say so */
    bool whole = kept || null || (node->exploded && empty);
    bool taken = node->consumed && !extracted && !may_lose && !whole && !node->explained;
    if (node->dropped || taken)
        return RC_OK;
    struct rest_entry e = {.name = m->name,
                           .val = v,
                           .slot = node->slot,
                           .extracted = extracted && !kept,
                           .may_lose = may_lose && !whole,
                           .explained = whole ? NULL : node->explained,
                           .left_out = node->otherwise_dropped && !whole ? m : NULL,
                           .indexed = node->otherwise_indexed};
    return rest_add(rest, f->arena, &e);
}

static enum rc place(struct slots_node *node, const struct member *m, struct frame *f,
                     struct rest_list *rest)
{
    const struct parse_rule *rule = parse_of(node, f);
    enum rc rc = rule ? parse(rule, &m, f) : RC_OK;
    const struct val *v = &m->val;
    if (!rc)
        rc = set_slot(node, m, f);
    if (rc)
        return rc;
    if (node->indexed)
        left_outs_add(&f->notes->left, m);
    if (node->below && v->kind == VAL_M && v->n) {
        rc = look_into(node, m, f, rest);
        if (rc || !has_flag(f->shape->may_lose, node->slot))
            return rc;
    }
    return leave(node, m, f, rest);
}

/* Members of a flattened attribute that is NULL are NULL themselves. */
static void fill_nulls(struct frame *f)
{
    for (uint32_t i = 0; i < f->shape->nflattened; i++) {
        const struct null_members *m = &f->shape->flattened[i];
        const struct val *v = f->slots[m->slot];
        for (uint32_t k = 0; v && v->kind == VAL_NULL && k < m->n; k++) {
            if (!f->slots[m->members[k]])
                f->slots[m->members[k]] = v;
        }
    }
}

enum rc slots_members(struct slots_level *l, const struct member *members, uint32_t n,
                      struct frame *f, struct rest_list *rest)
{
    struct slots_node **guess = &l->first;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < n; i++) {
        struct slots_node *node = find(l, guess, members[i].name, f->arena);
        if (!node)
            return RC_NOMEM;
        guess = &node->guess;
        if (node->plain || (node->simple && is_simple(node, &members[i], f))) {
            rc = set_slot(node, &members[i], f);
            continue;
        }
        rc = place(node, &members[i], f, rest);
        if (node->once)
            forget(node);
    }
    if (!rc && l->root)
        fill_nulls(f);
    return rc;
}
