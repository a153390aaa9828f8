/* SPDX-License-Identifier: MIT */
/*
 * What the service would refuse is not sent: index keys of another type, empty or too long, and
 * items that would grow beyond 400 KB. Only values that are to be written are looked at.
 */
#include "pipeline/item/canon.h"
#include "sinks/dynamodb/recipe/recipe_private.h"

enum { ITEM_BYTES_MAX = 400 * 1024 };

static char type_letter(enum val_kind kind)
{
    return kind == VAL_S ? 'S' : kind == VAL_N ? 'N' : 'B';
}

static enum rc check_demand(struct fault *why, const struct demand *d, const struct val *v)
{
    size_t most = d->key->range ? KEY_RANGE_MAX : KEY_HASH_MAX;
    if (d->key->type != '?' && d->key->type != type_letter(v->kind)) {
        return fault_set(why, "key-type", 0,
                         "\"%.*s\" would be of type %s, index \"%.*s\" needs %c",
                         STR_FMT(d->key->name), value_kind_name(v->kind),
                         STR_FMT(d->index->name), d->key->type);
    }
    if (v->kind == VAL_N)
        return RC_OK;
    if (v->u.s.n == 0) {
        return fault_set(why, "empty-key", 0,
                         "\"%.*s\" would be empty, but is a key of index \"%.*s\"",
                         STR_FMT(d->key->name), STR_FMT(d->index->name));
    }
    if (v->u.s.n > most) {
        return fault_set(
            why, "key-too-long", 0,
            "\"%.*s\" would have %zu bytes, a %s key of index \"%.*s\" has at most %zu",
            STR_FMT(d->key->name), v->u.s.n, d->key->range ? "sort" : "partition",
            STR_FMT(d->index->name), most);
    }
    return RC_OK;
}

enum rc recipe_limits(const struct entity_recipe *e, struct change *c)
{
    c->size_after = c->size_before;
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct setting *s = &c->targets[i];
        const struct target *t = &e->targets[i];
        c->size_after -= value_attribute_size(t->spec->attribute, s->old);
        c->size_after += value_attribute_size(t->spec->attribute, s->new_);
        for (uint32_t k = 0; k < t->ndemands && s->new_ && !value_same(s->old, s->new_); k++) {
            enum rc rc = check_demand(&c->why, &t->demands[k], s->new_);
            if (rc)
                return rc;
        }
    }
    if (c->size_after > ITEM_BYTES_MAX) {
        return fault_set(&c->why, "item-too-large", 0,
                         "the item would have %llu bytes, at most 409,600 are allowed",
                         (unsigned long long)c->size_after);
    }
    return RC_OK;
}
