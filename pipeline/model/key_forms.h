/* SPDX-License-Identifier: MIT */
/* Which of the forms of its keys an item has: they are tried in the model's order. */
#ifndef MODEL_KEY_FORMS_H
#define MODEL_KEY_FORMS_H

#include "pipeline/model/model.h"

#define KEY_FORM_NONE UINT32_MAX

/* The value of the attribute that keys->v[key] is for; NULL: the item lacks it. */
typedef const struct val *key_forms_get(void *ctx, uint32_t key);

/* For key_forms_value: an item whose key attributes are looked at. */
struct key_forms_item {
    const struct keys_spec *keys;
    const struct item *item;
};
const struct val *key_forms_value(void *ctx, uint32_t key);

/* The first form all of whose templates match, or KEY_FORM_NONE. */
uint32_t key_forms_complete(const struct keys_spec *keys, key_forms_get *get, void *ctx);

/*
 * The complete form, else the first one that no attribute contradicts: an attribute that is
 * absent or NULL has no parts and contradicts nothing. Nor do those whose flag in `soft` is set
 * (by key; NULL: none). KEY_FORM_NONE if there is none.
 */
uint32_t key_forms_choose(const struct keys_spec *keys, key_forms_get *get, void *ctx,
                          const bool *soft);

/* The first key of a form that the attributes contradict, else the first that does not match,
   or keys->n. */
uint32_t key_forms_fault(const struct keys_spec *keys, uint32_t form, key_forms_get *get,
                         void *ctx);

#endif
