/* SPDX-License-Identifier: MIT */
/*
 * Scalars are views of their text where that is canonical already, else copies in the arena.
 * Few members are compared pair by pair, many through a table of hashes.
 */
#include "pipeline/item/decode_check.h"

#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/base64.h"
#include "pipeline/item/canon.h"
#include "pipeline/item/decimal.h"

enum { FEW = 12 };

enum val_kind decode_check_tag(struct str tag)
{
    if (tag.n == 1) {
        switch (tag.p[0]) {
        case 'S':
            return VAL_S;
        case 'N':
            return VAL_N;
        case 'B':
            return VAL_B;
        case 'M':
            return VAL_M;
        case 'L':
            return VAL_L;
        default:
            return VAL_MISSING;
        }
    }
    if (tag.n == 2 && tag.p[1] == 'S') {
        return tag.p[0] == 'S'   ? VAL_SS
               : tag.p[0] == 'N' ? VAL_NS
               : tag.p[0] == 'B' ? VAL_BS
                                 : VAL_MISSING;
    }
    if (str_eq(tag, STR("BOOL")))
        return VAL_BOOL;
    return str_eq(tag, STR("NULL")) ? VAL_NULL : VAL_MISSING;
}

static enum rc number(struct decode_check *w, struct str text, size_t at, struct val *out)
{
    char canonical[DECIMAL_MAX];
    size_t n;
    bool same;
    switch (decimal_canon(text, canonical, &n, &same)) {
    case DECIMAL_SYNTAX:
        return fault_set(w->why, "bad-number", at, "\"%.*s\" is not a number",
                         (int)(text.n < 80 ? text.n : 80), text.p);
    case DECIMAL_DIGITS:
        return fault_set(w->why, "number-digits", at,
                         "%.*s has more than 38 significant digits",
                         (int)(text.n < 160 ? text.n : 160), text.p);
    case DECIMAL_RANGE:
        return fault_set(w->why, "number-range", at,
                         "%.*s is beyond the range of 1E-130 to 9.9E+125",
                         (int)(text.n < 160 ? text.n : 160), text.p);
    case DECIMAL_OK:
        break;
    }
    out->u.s = same ? text : arena_dup(w->arena, str_make(canonical, n));
    return out->u.s.p ? RC_OK : RC_NOMEM;
}

static enum rc binary(struct decode_check *w, struct str text, size_t at, struct val *out)
{
    unsigned char *bytes = arena_alloc(w->arena, base64_room(text.n));
    if (!bytes)
        return RC_NOMEM;
    size_t n, bad = 0;
    if (!base64_decode(text, bytes, &n, &bad)) {
        return fault_set(w->why, "bad-base64", at + bad,
                         "not base64 with padding at byte %zu of the text", bad);
    }
    out->u.s = str_make((const char *)bytes, n);
    return RC_OK;
}

enum rc decode_check_scalar(struct decode_check *w, enum val_kind kind, struct str text,
                            size_t at, struct val *out)
{
    out->kind = kind;
    out->n = 0;
    if (kind == VAL_N)
        return number(w, text, at, out);
    if (kind == VAL_B)
        return binary(w, text, at, out);
    out->u.s = text;
    return RC_OK;
}

static int by_value(const void *a, const void *b)
{
    return value_cmp(a, b);
}

/* As servers send them; no two are equal then. */
static bool in_order(const struct val *set)
{
    for (uint32_t i = 1; i < set->n; i++) {
        if (value_cmp(&set->u.list[i - 1], &set->u.list[i]) >= 0)
            return false;
    }
    return true;
}

enum rc decode_check_set(struct decode_check *w, struct val *set, size_t at)
{
    if (set->n == 0) {
        return fault_set(w->why, "empty-set", at, "a set (%s) without members",
                         value_kind_name(set->kind));
    }
    if (in_order(set))
        return RC_OK;
    qsort(set->u.list, set->n, sizeof *set->u.list, by_value);
    for (uint32_t i = 1; i < set->n; i++) {
        const struct val *v = &set->u.list[i];
        if (value_cmp(v - 1, v) == 0) {
            return fault_set(w->why, "duplicate-set-member", at, "%s holds %s%.*s%s twice",
                             value_kind_name(set->kind), v->kind == VAL_S ? "\"" : "",
                             (int)(v->kind == VAL_B ? 0
                                   : v->u.s.n < 80  ? v->u.s.n
                                                    : 80),
                             v->u.s.p,
                             v->kind == VAL_S   ? "\""
                             : v->kind == VAL_B ? "a value"
                                                : "");
        }
    }
    return RC_OK;
}

static bool unique_few(const struct member *members, uint32_t n, uint32_t *which)
{
    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (str_eq(members[i].name, members[k].name)) {
                *which = i;
                return false;
            }
        }
    }
    return true;
}

bool decode_check_unique(const struct member *members, uint32_t n, struct arena *scratch,
                         uint32_t *which, enum rc *rc)
{
    *rc = RC_OK;
    if (n <= FEW)
        return unique_few(members, n, which);
    size_t cap = 32;
    while (cap < (size_t)n * 2)
        cap *= 2;
    uint32_t *slots = arena_array(scratch, cap, sizeof *slots);
    if (!slots) {
        *rc = RC_NOMEM;
        return true;
    }
    /* an address is a seed that nobody who writes items knows: no names can be made to collide */
    XXH64_hash_t seed = (XXH64_hash_t)(uintptr_t)slots;
    for (uint32_t i = 0; i < n; i++) {
        struct str name = members[i].name;
        size_t at = (size_t)XXH3_64bits_withSeed(name.p, name.n, seed) & (cap - 1);
        for (; slots[at]; at = (at + 1) & (cap - 1)) {
            if (str_eq(members[slots[at] - 1].name, name)) {
                *which = i;
                return false;
            }
        }
        slots[at] = i + 1;
    }
    return true;
}
