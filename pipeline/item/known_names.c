/* SPDX-License-Identifier: MIT */
#include "pipeline/item/known_names.h"

static struct known_name *add(struct known_names *k, struct str name, enum val_kind kind,
                              uint64_t hash)
{
    struct known_name *new = &k->v[k->n++];
    uint32_t all = (uint32_t)name.n + QUICK_OPENING;
    memcpy(new->text, name.p, all);
    new->mask = (UINT32_C(1) << all) - 1;
    new->n = (uint32_t)name.n;
    new->kind = kind;
    new->plain = kind == VAL_S ? VAL_PLAIN : 0;
    new->word = decode_fast_word(hash);
    new->bit = decode_fast_bit(hash);
    return new;
}

struct known_name *known_names_find(struct known_names *k, struct str name, enum val_kind kind,
                                    uint64_t hash)
{
    uint32_t at = ((uint32_t)(hash >> 32) + (kind == VAL_N)) & (KNOWN_SLOTS - 1);
    for (; k->slots[at]; at = (at + 1) & (KNOWN_SLOTS - 1)) {
        struct known_name *met = &k->v[k->slots[at] - 1];
        if (met->kind == kind && str_eq(str_make(met->text, met->n), name))
            return met;
    }
    if (k->n == KNOWN_MAX)
        return NULL;
    k->slots[at] = (uint16_t)(k->n + 1);
    return add(k, name, kind, hash);
}
