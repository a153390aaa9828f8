/* SPDX-License-Identifier: MIT */
/* The keys of all forms stand in one array, those of a form side by side. */
#include "pipeline/model/key_forms.h"

const struct val *key_forms_value(void *ctx, uint32_t key)
{
    const struct key_forms_item *k = ctx;
    return item_get(k->item, k->keys->v[key].attribute);
}

enum fit { FIT_ABSENT, FIT_MATCHES, FIT_CONTRADICTS };

static enum fit fit_of(const struct key_spec *key, const struct val *v)
{
    struct str parts[TPL_PARTS];
    if (!v || v->kind == VAL_NULL)
        return FIT_ABSENT;
    bool matches = v->kind == VAL_S && template_match(&key->tpl, v->u.s, parts);
    return matches ? FIT_MATCHES : FIT_CONTRADICTS;
}

uint32_t key_forms_complete(const struct keys_spec *keys, key_forms_get *get, void *ctx)
{
    bool fits = keys->n > 0;
    for (uint32_t i = 0; i < keys->n; i++) {
        const struct key_spec *key = &keys->v[i];
        if (i && key->form != keys->v[i - 1].form) {
            if (fits)
                return keys->v[i - 1].form;
            fits = true;
        }
        fits = fits && fit_of(key, get(ctx, i)) == FIT_MATCHES;
    }
    return fits ? keys->v[keys->n - 1].form : KEY_FORM_NONE;
}

static bool contradicts(const struct keys_spec *keys, uint32_t key, key_forms_get *get,
                        void *ctx, const bool *soft)
{
    return !(soft && soft[key]) && fit_of(&keys->v[key], get(ctx, key)) == FIT_CONTRADICTS;
}

uint32_t key_forms_choose(const struct keys_spec *keys, key_forms_get *get, void *ctx,
                          const bool *soft)
{
    uint32_t complete = key_forms_complete(keys, get, ctx);
    if (complete != KEY_FORM_NONE)
        return complete;
    for (uint32_t form = 0; form < keys->nforms; form++) {
        bool fits = true;
        for (uint32_t i = 0; fits && i < keys->n; i++)
            fits = keys->v[i].form != form || !contradicts(keys, i, get, ctx, soft);
        if (fits)
            return form;
    }
    return KEY_FORM_NONE;
}

uint32_t key_forms_fault(const struct keys_spec *keys, uint32_t form, key_forms_get *get,
                         void *ctx)
{
    uint32_t absent = keys->n;
    for (uint32_t i = 0; i < keys->n; i++) {
        enum fit fit = keys->v[i].form == form ? fit_of(&keys->v[i], get(ctx, i)) : FIT_MATCHES;
        if (fit == FIT_CONTRADICTS)
            return i;
        if (fit == FIT_ABSENT && absent == keys->n)
            absent = i;
    }
    return absent;
}
