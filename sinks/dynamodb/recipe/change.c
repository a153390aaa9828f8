/* SPDX-License-Identifier: MIT */
/* Values nest, at most as deep as the decoder lets them. */
#include "sinks/dynamodb/recipe/change.h"

#include "pipeline/item/canon.h"

static bool copy_val(const struct val *from, struct arena *a, struct val *to);

static bool copy_members(const struct val *from, struct arena *a, struct val *to)
{
    struct member *m = arena_array(a, from->n, sizeof *m);
    bool ok = m || from->n == 0;
    for (uint32_t i = 0; ok && m && i < from->n; i++) {
        m[i].name = arena_dup(a, from->u.members[i].name);
        ok = m[i].name.p && copy_val(&from->u.members[i].val, a, &m[i].val);
    }
    to->u.members = m;
    return ok;
}

static bool copy_list(const struct val *from, struct arena *a, struct val *to)
{
    struct val *v = arena_array(a, from->n, sizeof *v);
    bool ok = v || from->n == 0;
    for (uint32_t i = 0; ok && v && i < from->n; i++)
        ok = copy_val(&from->u.list[i], a, &v[i]);
    to->u.list = v;
    return ok;
}

static bool copy_val(const struct val *from, struct arena *a, struct val *to)
{
    *to = *from;
    switch (from->kind) {
    case VAL_S:
    case VAL_N:
    case VAL_B:
        to->u.s = arena_dup(a, from->u.s);
        return to->u.s.p != NULL;
    case VAL_M:
        return copy_members(from, a, to);
    case VAL_L:
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
        return copy_list(from, a, to);
    case VAL_MISSING:
    case VAL_BOOL:
    case VAL_NULL:
        break;
    }
    return true;
}

static bool copy_one(const struct val *from, struct arena *a, const struct val **to)
{
    struct val *v = from ? ARENA_NEW(a, struct val) : NULL;
    *to = v;
    return !from || (v && copy_val(from, a, v));
}

static struct setting *copy_settings(const struct setting *from, uint32_t n, struct arena *a)
{
    struct setting *to = arena_array(a, n + 1, sizeof *to);
    for (uint32_t i = 0; to && i < n; i++) {
        to[i].path = from[i].path;
        if (!copy_one(from[i].old, a, &to[i].old) || !copy_one(from[i].new_, a, &to[i].new_))
            return NULL;
    }
    return to;
}

enum rc change_copy(const struct change *from, struct arena *a, struct change *to)
{
    *to = *from;
    to->targets = copy_settings(from->targets, from->ntargets, a);
    to->reads = copy_settings(from->reads, from->nreads, a);
    return to->targets && to->reads ? RC_OK : RC_NOMEM;
}

static bool same_val(const struct val *a, const struct val *b)
{
    return a && b ? value_eq(a, b) : a == b;
}

static bool has_target(const struct change *c, const struct setting *t)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct setting *o = &c->targets[i];
        if (str_eq(o->path.members[0], t->path.members[0]))
            return same_val(o->old, t->old) && same_val(o->new_, t->new_);
    }
    return false;
}

static bool has_targets(const struct change *whole, const struct change *part)
{
    bool has = true;
    for (uint32_t i = 0; i < part->ntargets && has; i++)
        has = has_target(whole, &part->targets[i]);
    return has;
}

bool change_same(const struct change *a, const struct change *b)
{
    return a->ntargets == b->ntargets && has_targets(b, a);
}

bool change_part(const struct change *part, const struct change *whole)
{
    return part->ntargets > 0 && part->ntargets < whole->ntargets && has_targets(whole, part);
}
