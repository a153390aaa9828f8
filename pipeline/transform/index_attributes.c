/* SPDX-License-Identifier: MIT */
/* The rows of an item are searched as text: it does not matter in which column a piece is. */
#include "pipeline/transform/index_attributes.h"

#include <stdlib.h>

struct index_attributes {
    const struct plan *plan;
    struct index_entity *entities;
    struct arena arena;
    struct buf rows; /* of the current item, one after the other */
    bool nomem;
};

struct index_attributes *index_attributes_new(const struct plan *plan)
{
    struct index_attributes *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->plan = plan;
    arena_init(&a->arena, 65536);
    buf_init(&a->rows, BUF_NO_LIMIT);
    a->entities = calloc(plan->model->nentities + 1, sizeof *a->entities);
    if (a->entities)
        return a;
    index_attributes_free(a);
    return NULL;
}

void index_attributes_free(struct index_attributes *a)
{
    if (!a)
        return;
    free(a->entities);
    buf_release(&a->rows);
    arena_release(&a->arena);
    free(a);
}

static bool is_indexing(const struct plan *plan, struct str name)
{
    for (uint32_t i = 0; i < plan->indexing.n; i++) {
        if (str_glob(name, plan->indexing.v[i]))
            return true;
    }
    for (uint32_t i = 0; i < plan->key.n; i++) {
        if (str_eq(name, plan->key.v[i]))
            return true;
    }
    return false;
}

static struct index_attribute *find(struct index_attributes *a, struct index_entity *e,
                                    const struct member *m)
{
    for (uint32_t i = 0; i < e->n; i++) {
        if (str_eq(e->v[i].name, m->name))
            return &e->v[i];
    }
    if (e->n == INDEX_ATTRIBUTES)
        return NULL;
    struct index_attribute *x = &e->v[e->n];
    x->name = arena_dup(&a->arena, m->name);
    x->first = arena_dup(&a->arena, m->val.u.s);
    a->nomem |= !x->name.p || !x->first.p;
    e->n += !a->nomem;
    return a->nomem ? NULL : x;
}

/* Returns the next piece; *at begins at 0, and is beyond the end after the last. */
static struct str piece(struct str s, size_t *at)
{
    size_t end = *at;
    while (end < s.n && s.p[end] != '#')
        end++;
    struct str out = str_make(s.p + *at, end - *at);
    *at = end + 1;
    return out;
}

/* True if the k-th piece of the first item's value is this text. */
static bool is_constant(struct str first, size_t k, struct str text)
{
    size_t at = 0;
    for (size_t i = 0; at <= first.n; i++) {
        struct str p = piece(first, &at);
        if (i == k)
            return str_eq(p, text);
    }
    return false;
}

static bool says_more(const struct index_attributes *a, const struct index_attribute *x,
                      struct str value)
{
    size_t at = 0;
    struct str rows = buf_view(&a->rows);
    for (size_t k = 0; at <= value.n; k++) {
        struct str p = piece(value, &at);
        if (p.n == 0 || (x->count > 1 && is_constant(x->first, k, p)))
            continue;
        if (str_find(rows, p, 0) == rows.n)
            return true;
    }
    return false;
}

static void look_at(struct index_attributes *a, struct index_entity *e, const struct item *item)
{
    for (uint32_t i = 0; i < item->n; i++) {
        const struct member *m = &item->members[i];
        if (!is_indexing(a->plan, m->name) || m->val.kind > VAL_N || m->val.kind == VAL_MISSING)
            continue;
        struct index_attribute *x = find(a, e, m);
        if (!x)
            continue;
        x->count++;
        if (x->count > 1 && says_more(a, x, m->val.u.s)) {
            x->alone++;
            if (!x->example.p)
                x->example = arena_dup(&a->arena, m->val.u.s);
            a->nomem |= !x->example.p;
        }
        for (uint32_t k = 0; k < e->n; k++) {
            const struct val *other = item_get(item, e->v[k].name);
            x->same[k] += other && other->kind == m->val.kind && str_eq(other->u.s, m->val.u.s);
        }
    }
}

enum rc index_attributes_add(struct index_attributes *a, const struct transform_trace *t,
                             struct err *err)
{
    if (t->fate != ITEM_ROUTED)
        return RC_OK;
    struct index_entity *e = &a->entities[t->entity];
    e->items++;
    e->untyped += a->plan->type.n && !item_get(&t->item, a->plan->type);
    buf_clear(&a->rows);
    for (size_t i = 0; i < t->nrows; i++)
        schema_row_json(&a->rows, &a->plan->schema.tables[t->rows[i].table], t->rows[i].cells);
    look_at(a, e, &t->item);
    return a->nomem ? err_nomem(err) : buf_check(&a->rows, err);
}

const struct index_entity *index_attributes_of(const struct index_attributes *a,
                                               uint32_t entity)
{
    return &a->entities[entity];
}

bool index_attributes_equal(const struct index_entity *e, uint32_t i, uint32_t k)
{
    return e->v[i].count > 1 && e->v[i].same[k] == e->v[i].count &&
           e->v[k].count == e->v[i].count;
}
