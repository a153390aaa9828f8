/* SPDX-License-Identifier: MIT */
/*
 * Names of kinds, looking a member up (items have few members, so a walk is enough), and copies.
 * The depth of a value was limited when it was decoded.
 */
#include "pipeline/item/value.h"

#include <string.h>

const char *value_kind_name(enum val_kind kind)
{
    static const char *const NAMES[] = {
        [VAL_MISSING] = "missing", [VAL_S] = "S",       [VAL_N] = "N",  [VAL_B] = "B",
        [VAL_BOOL] = "BOOL",       [VAL_NULL] = "NULL", [VAL_M] = "M",  [VAL_L] = "L",
        [VAL_SS] = "SS",           [VAL_NS] = "NS",     [VAL_BS] = "BS"};
    return NAMES[kind];
}

static bool holds_values(const struct val *v)
{
    return v->kind == VAL_M || v->kind == VAL_L || v->kind >= VAL_SS;
}

static struct val *child(const struct val *v, uint32_t i)
{
    return v->kind == VAL_M ? &v->u.members[i].val : &v->u.list[i];
}

/* The same, with an array of its own for what it holds. */
static bool copy_one(const struct val *v, struct arena *a, struct val *out)
{
    *out = *v;
    if (!holds_values(v) || v->n == 0)
        return true;
    bool map = v->kind == VAL_M;
    size_t bytes = v->n * (map ? sizeof *v->u.members : sizeof *v->u.list);
    void *p = arena_alloc(a, bytes);
    if (!p)
        return false;
    if (map) {
        out->u.members = memcpy(p, v->u.members, bytes);
    } else {
        out->u.list = memcpy(p, v->u.list, bytes);
    }
    return true;
}

bool value_copy(const struct val *v, struct arena *a, struct val *out)
{
    bool good = copy_one(v, a, out);
    for (uint32_t i = 0; good && holds_values(v) && i < v->n; i++)
        good = value_copy(child(v, i), a, child(out, i));
    return good;
}

const struct val *value_replace(const struct val *root, const struct val *old,
                                const struct val *with, struct arena *a)
{
    if (root == old)
        return with;
    for (uint32_t i = 0; holds_values(root) && i < root->n; i++) {
        const struct val *at = child(root, i), *now = value_replace(at, old, with, a);
        if (now == at)
            continue;
        struct val *copy = now ? ARENA_NEW(a, struct val) : NULL;
        if (!copy || !copy_one(root, a, copy))
            return NULL;
        *child(copy, i) = *now;
        return copy;
    }
    return root;
}

const struct val *item_get(const struct item *item, struct str name)
{
    for (uint32_t i = 0; i < item->n; i++) {
        if (str_eq(item->members[i].name, name))
            return &item->members[i].val;
    }
    return NULL;
}

static bool text_has_nul(struct str s)
{
    return s.n && memchr(s.p, '\0', s.n);
}

bool value_has_nul(const struct val *v)
{
    if (v->kind == VAL_S)
        return text_has_nul(v->u.s);
    if (v->kind == VAL_M) {
        for (uint32_t i = 0; i < v->n; i++) {
            if (text_has_nul(v->u.members[i].name) || value_has_nul(&v->u.members[i].val))
                return true;
        }
    } else if (v->kind == VAL_L || v->kind == VAL_SS) {
        for (uint32_t i = 0; i < v->n; i++) {
            if (value_has_nul(&v->u.list[i]))
                return true;
        }
    }
    return false;
}
