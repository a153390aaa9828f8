/* SPDX-License-Identifier: MIT */
/*
 * The first entity that matches, in the model's order, takes the item. Entities without `when`
 * are found by a table of type values; only those with one, or items without a type, need a
 * look at each entity.
 */
#include "pipeline/transform/route.h"

#include "pipeline/item/decimal.h"
#include "pipeline/model/key_forms.h"

enum { SECONDS_OF_5_YEARS = 5 * 365 * 24 * 3600 };

static const struct val *leaf(void *ctx, const struct cond *c)
{
    return path_find(ctx, &c->path);
}

static bool when_holds(const struct entity *e, const struct item *item)
{
    union {
        const struct item *in;
        void *out;
    } ctx = {.in = item}; /* cond_get takes a plain pointer; nothing is written through it */
    return condition_eval(e->when, leaf, ctx.out);
}

static bool keys_hold(const struct entity *e, const struct item *item)
{
    struct key_forms_item k = {&e->keys, item};
    return key_forms_complete(&e->keys, key_forms_value, &k) != KEY_FORM_NONE;
}

static const struct val *type_of(const struct plan *plan, const struct item *item)
{
    return plan->type.n ? item_get(item, plan->type) : NULL;
}

bool route_expired(const struct plan *plan, const struct item *item, int64_t now_us)
{
    const struct val *v = plan->ttl.n ? item_get(item, plan->ttl) : NULL;
    int64_t at = 0, now = now_us / 1000000;
    if (!v || v->kind != VAL_N || !decimal_int64(v->u.s, &at))
        return false;
    return at <= now && at > now - SECONDS_OF_5_YEARS;
}

struct str route_type(const struct plan *plan, const struct item *item)
{
    const struct val *v = type_of(plan, item);
    if (!v)
        return (struct str){0};
    return v->kind == VAL_S || v->kind == VAL_N ? v->u.s : str_of(value_kind_name(v->kind));
}

/* The first entity that takes an item without a type, by its `when` or its key templates. */
static uint32_t route_untyped(const struct plan *plan, const struct item *item)
{
    for (uint32_t i = 0; i < plan->model->nentities; i++) {
        const struct entity *e = &plan->model->entities[i];
        if (!plan_takes_from(plan, e, item->source))
            continue;
        if (e->when ? when_holds(e, item) : keys_hold(e, item))
            return i;
    }
    return ROUTE_NONE;
}

/* Of several sources the first entity of a type may be another in each. */
static uint32_t route_placed(const struct plan *plan, const struct item *item)
{
    for (uint32_t i = 0; i < plan->model->nentities; i++) {
        if (route_matches(plan, i, item))
            return i;
    }
    return ROUTE_NONE;
}

uint32_t route_item(const struct plan *plan, const struct item *item)
{
    const struct val *type = type_of(plan, item);
    if (!type)
        return route_untyped(plan, item);
    if (plan->placed)
        return route_placed(plan, item);
    /* a type that is no string belongs to no entity */
    uint32_t by_type = type->kind == VAL_S ? map_get(&plan->types, type->u.s) : MAP_NONE;
    for (uint32_t i = 0; i < plan->nwhens && plan->whens[i] < by_type; i++) {
        if (when_holds(&plan->model->entities[plan->whens[i]], item))
            return plan->whens[i];
    }
    return by_type == MAP_NONE ? ROUTE_NONE : by_type;
}

static bool type_fits(const struct entity *e, struct str type)
{
    if (str_eq(e->name, type))
        return true;
    for (uint32_t i = 0; i < e->types.n; i++) {
        if (str_eq(e->types.v[i], type))
            return true;
    }
    return false;
}

bool route_matches(const struct plan *plan, uint32_t entity, const struct item *item)
{
    const struct entity *e = &plan->model->entities[entity];
    const struct val *type = type_of(plan, item);
    if (!plan_takes_from(plan, e, item->source))
        return false;
    if (e->when)
        return when_holds(e, item);
    return type ? type->kind == VAL_S && type_fits(e, type->u.s) : keys_hold(e, item);
}

/* Why no form of the keys matches: the first template of each that does not. */
static void explain_misfits(const struct entity *e, const struct item *item, struct buf *why)
{
    struct key_forms_item k = {&e->keys, item};
    for (uint32_t form = 0; form < e->keys.nforms; form++) {
        const struct key_spec *bad =
            &e->keys.v[key_forms_fault(&e->keys, form, key_forms_value, &k)];
        buf_addf(why, "%s\"%.*s\" does not match \"%.*s\"", form ? ", " : "",
                 STR_FMT(bad->attribute), STR_FMT(bad->tpl.text));
    }
}

static bool explain_keys(const struct plan *plan, const struct entity *e,
                         const struct item *item, struct buf *why)
{
    bool holds = keys_hold(e, item);
    if (e->keys.n == 0) {
        buf_puts(why, "the item has no type attribute and the entity no key templates");
        return false;
    }
    buf_puts(why, plan->type.n ? "no type attribute, and " : "");
    if (!holds) {
        explain_misfits(e, item, why);
    } else {
        buf_puts(why,
                 e->keys.nforms > 1 ? "a form of the keys matches" : "all key templates match");
    }
    return holds;
}

bool route_explain(const struct plan *plan, uint32_t entity, const struct item *item,
                   struct buf *why)
{
    const struct entity *e = &plan->model->entities[entity];
    const struct val *type = type_of(plan, item);
    if (!plan_takes_from(plan, e, item->source)) {
        buf_addf(why, "its items are in \"%.*s\"", STR_FMT(e->source));
        return false;
    }
    if (e->when) {
        bool holds = when_holds(e, item);
        buf_puts(why, holds ? "\"when\" holds: " : "\"when\" does not hold: ");
        condition_print(e->when, why);
        return holds;
    }
    if (!type)
        return explain_keys(plan, e, item, why);
    if (type->kind != VAL_S) {
        buf_addf(why, "\"%.*s\" is no string but %s", STR_FMT(plan->type),
                 value_kind_name(type->kind));
        return false;
    }
    bool fits = type_fits(e, type->u.s);
    buf_addf(why, "\"%.*s\" is \"%.*s\"%s", STR_FMT(plan->type), STR_FMT(type->u.s),
             fits ? "" : ", another type");
    return fits;
}
