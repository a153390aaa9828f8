/* SPDX-License-Identifier: MIT */
/*
 * Order, equality and size of values. Maps are walked in the order of their names by looking
 * for the next larger one each time: no memory is needed, so comparing cannot fail; the cost
 * is the square of the members, which only equal maps pay in full.
 */
#include "pipeline/item/canon.h"
#include "pipeline/item/decimal.h"

/* The member with the smallest name above *after (of all if NULL), or NULL. */
static const struct member *next_member(const struct val *map, const struct str *after)
{
    const struct member *best = NULL;
    for (uint32_t i = 0; i < map->n; i++) {
        const struct member *m = &map->u.members[i];
        if (after && str_cmp(m->name, *after) <= 0)
            continue;
        if (!best || str_cmp(m->name, best->name) < 0)
            best = m;
    }
    return best;
}

static int cmp_maps(const struct val *a, const struct val *b)
{
    const struct member *x = next_member(a, NULL), *y = next_member(b, NULL);
    while (x && y) {
        int c = str_cmp(x->name, y->name);
        if (c == 0)
            c = value_cmp(&x->val, &y->val);
        if (c)
            return c;
        x = next_member(a, &x->name);
        y = next_member(b, &y->name);
    }
    return (x != NULL) - (y != NULL);
}

static int cmp_lists(const struct val *a, const struct val *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        int c = value_cmp(&a->u.list[i], &b->u.list[i]);
        if (c)
            return c;
    }
    return (a->n > b->n) - (a->n < b->n);
}

int value_cmp(const struct val *a, const struct val *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    switch (a->kind) {
    case VAL_S:
    case VAL_B:
        return str_cmp(a->u.s, b->u.s);
    case VAL_N:
        return decimal_cmp(a->u.s, b->u.s);
    case VAL_BOOL:
        return a->u.boolean - b->u.boolean;
    case VAL_M:
        return cmp_maps(a, b);
    case VAL_L:
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        return cmp_lists(a, b);
    case VAL_NULL:
    case VAL_MISSING:
        break;
    }
    return 0;
}

bool value_eq(const struct val *a, const struct val *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VAL_N || a->kind == VAL_S || a->kind == VAL_B)
        return str_eq(a->u.s, b->u.s);
    return a->n == b->n && value_cmp(a, b) == 0;
}

bool value_same(const struct val *a, const struct val *b)
{
    return a && b ? value_eq(a, b) : a == b;
}

bool value_agrees(const struct val *a, const struct val *b)
{
    bool scalars =
        (a->kind == VAL_S || a->kind == VAL_N) && (b->kind == VAL_S || b->kind == VAL_N);
    return value_eq(a, b) || (scalars && str_eq(a->u.s, b->u.s));
}

static uint64_t val_size(const struct val *v)
{
    uint64_t size = 0;
    switch (v->kind) {
    case VAL_S:
    case VAL_B:
        return v->u.s.n;
    case VAL_N:
        return decimal_size(v->u.s);
    case VAL_BOOL:
    case VAL_NULL:
        return 1;
    case VAL_M:
        return 3 + v->n + item_size(v->u.members, v->n);
    case VAL_L:
        size = 3 + v->n;
        break;
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        break;
    case VAL_MISSING:
        return 0;
    }
    for (uint32_t i = 0; i < v->n; i++)
        size += val_size(&v->u.list[i]);
    return size;
}

uint64_t item_size(const struct member *members, uint32_t n)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < n; i++)
        size += members[i].name.n + val_size(&members[i].val);
    return size;
}

uint64_t value_attribute_size(struct str name, const struct val *v)
{
    return v ? name.n + val_size(v) : 0;
}
