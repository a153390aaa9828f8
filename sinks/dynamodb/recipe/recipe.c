/* SPDX-License-Identifier: MIT */
/*
 * A backfill at work on one item. The order: key attributes, TTL, route, key templates, the
 * condition, the templates, and only for items that would be written what the service demands.
 * Reasons are counted, so each failure names the first one alone.
 */
#include "pipeline/item/canon.h"
#include "pipeline/item/decimal.h"
#include "pipeline/model/key_forms.h"
#include "pipeline/plan/key_parts.h"
#include "pipeline/transform/route.h"
#include "sinks/dynamodb/recipe/recipe_private.h"

const char *const recipe_fate_names[FATES] = {"changed",  "already",    "skipped", "filtered",
                                              "unrouted", "conflicted", "failed"};

/* One item in work. */
struct work {
    const struct recipe *recipe;
    const struct entity_recipe *entity;
    const struct item *item;
    struct arena *arena;
    struct change *out;
    const struct val **slots;
    const struct target *target;
    const struct recipe_input *differs; /* a part and an attribute that do not agree */
    struct buf text;
    bool settled; /* out->fate is known: nothing is to be written, and nothing is wrong */
};

static enum rc settle(struct work *w, enum fate fate)
{
    w->out->fate = fate;
    w->settled = true;
    return RC_OK;
}

static enum rc failed(struct work *w)
{
    w->out->fate = FATE_FAILED;
    return RC_DATA;
}

static const struct val *input_value(struct work *w, const struct recipe_input *in)
{
    const struct val *attribute = path_find(w->item, &in->path), *part = NULL;
    bool differ = false;
    for (uint32_t i = 0; i < in->n; i++) {
        const struct val *v = w->slots[in->slots[i]];
        bool counts = i < in->hard;
        differ |= counts && v && part && !value_agrees(v, part);
        if (!part && (counts || !attribute))
            part = v;
    }
    differ |= attribute && part && !value_agrees(attribute, part);
    if (differ && in->prefer == PREFER_NONE)
        w->differs = in;
    return part && (!attribute || in->prefer == PREFER_PART) ? part : attribute;
}

static const struct val *template_input(void *ctx, uint32_t piece)
{
    struct work *w = ctx;
    return input_value(w, &w->target->inputs[piece]);
}

static const struct val *condition_input(void *ctx, const struct cond *leaf)
{
    struct work *w = ctx;
    const struct val *v = path_find(w->item, &leaf->path);
    for (uint32_t i = 0; !v && leaf->path.n == 1 && i < w->entity->nslots; i++) {
        if (w->entity->names[i].n && str_eq(w->entity->names[i], leaf->path.members[0]))
            v = w->slots[i];
    }
    return v;
}

static enum rc check_key(struct work *w)
{
    const struct names *key = &w->recipe->key;
    for (uint32_t i = 0; i < key->n; i++) {
        if (!item_get(w->item, key->v[i])) {
            fault_set(&w->out->why, "missing-key", 0, "the item has no key attribute \"%.*s\"",
                      STR_FMT(key->v[i]));
            return failed(w);
        }
    }
    return RC_OK;
}

static const struct val *key_value(void *ctx, uint32_t key)
{
    const struct work *w = ctx;
    return w->slots[w->entity->keys[key].slot];
}

static enum rc split_keys(struct work *w)
{
    const struct entity_recipe *e = w->entity;
    w->slots = arena_array(w->arena, e->nslots + 1, sizeof(struct val *));
    if (!w->slots)
        return RC_NOMEM;
    struct frame f = {.slots = w->slots, .arena = w->arena, .why = &w->out->why};
    for (uint32_t i = 0; i < e->nkeys; i++)
        w->slots[e->keys[i].slot] = item_get(w->item, e->keys[i].attribute);
    const struct keys_spec *keys = &e->entity->keys;
    bool several = keys->nforms > 1;
    uint32_t form = several ? key_forms_choose(keys, key_value, w, e->soft) : 0;
    if (form == KEY_FORM_NONE) {
        enum rc rc = key_parts_refuse(keys, e->keys, &f);
        return rc == RC_DATA ? failed(w) : rc;
    }
    for (uint32_t i = 0; i < e->nkeys; i++) {
        if (keys->v[i].form != form)
            continue;
        enum rc rc = key_parts_apply(&e->keys[i], &f);
        if (rc == RC_DATA && e->soft[i]) {
            w->out->why = (struct fault){0};
        } else if (rc) {
            return rc == RC_DATA ? failed(w) : rc;
        }
    }
    return RC_OK;
}

static enum rc input_missing(struct work *w)
{
    const struct backfill_spec *spec = w->target->spec;
    fault_set(&w->out->why, "missing-input", 0, "\"%.*s\": an input of \"%.*s\" is missing",
              STR_FMT(spec->attribute), STR_FMT(spec->tpl.text));
    if (w->entity->entity->backfill_missing == MISSING_FAIL)
        return failed(w);
    return settle(w, FATE_SKIPPED);
}

static enum rc mismatch(struct work *w)
{
    fault_set(&w->out->why, "key-mismatch", 0,
              "\"%.*s\": a key part and another source of {%.*s} differ",
              STR_FMT(w->target->spec->attribute),
              STR_FMT(w->differs->path.members[w->differs->path.n - 1]));
    return failed(w);
}

/* The one part of a template that is nothing but it, with no function: NULL if there is more. */
static const struct recipe_input *bare_part(const struct target *t)
{
    const struct template *tpl = &t->spec->tpl;
    return tpl->n == 1 && !tpl->pieces[0].literal ? &t->inputs[0] : NULL;
}

static enum rc make_number(struct work *w, struct val *v)
{
    char digits[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    if (decimal_canon(v->u.s, digits, &n, &same) != DECIMAL_OK) {
        fault_set(&w->out->why, "bad-number", 0, "\"%.*s\": \"%.*s\" is no number",
                  STR_FMT(w->target->spec->attribute), (int)(v->u.s.n > 60 ? 60 : v->u.s.n),
                  v->u.s.p);
        return failed(w);
    }
    if (!same)
        v->u.s = arena_dup(w->arena, str_make(digits, n));
    return v->u.s.p ? RC_OK : RC_NOMEM;
}

static enum rc make_value(struct work *w, struct setting *s)
{
    const struct backfill_spec *spec = w->target->spec;
    const struct recipe_input *bare = bare_part(w->target);
    const struct val *from = bare ? input_value(w, bare) : NULL;
    struct val *v = ARENA_NEW(w->arena, struct val);
    if (!v)
        return RC_NOMEM;
    if (from && from->kind == VAL_B && spec->kind != VAL_B && !w->differs) {
        fault_set(&w->out->why, "template", 0,
                  "\"%.*s\": {%.*s} is of type B, which has no text", STR_FMT(spec->attribute),
                  STR_FMT(spec->tpl.pieces[0].text));
        return failed(w);
    }
    buf_clear(&w->text);
    enum rc rc = template_print(&spec->tpl, template_input, w, &w->text, &w->out->why);
    if (rc == RC_NOMEM)
        return rc;
    if (w->differs)
        return mismatch(w);
    if (rc == RC_NONE)
        return input_missing(w);
    if (rc)
        return failed(w);
    *v = (struct val){.kind = spec->kind, .u.s = arena_dup(w->arena, buf_view(&w->text))};
    if (!v->u.s.p)
        return RC_NOMEM;
    s->new_ = v;
    return spec->kind == VAL_N ? make_number(w, v) : RC_OK;
}

static enum rc make_targets(struct work *w)
{
    const struct entity_recipe *e = w->entity;
    struct change *c = w->out;
    enum rc rc = RC_OK;
    c->targets = arena_array(w->arena, e->ntargets, sizeof *c->targets);
    if (!c->targets)
        return RC_NOMEM;
    c->fate = FATE_ALREADY;
    for (uint32_t i = 0; !rc && !w->settled && i < e->ntargets; i++) {
        struct setting *s = &c->targets[i];
        w->target = &e->targets[i];
        *s = (struct setting){.path = w->target->path,
                              .old = item_get(w->item, w->target->spec->attribute)};
        if (!w->target->spec->remove)
            rc = make_value(w, s);
        if (!rc && !w->settled && !value_same(s->old, s->new_))
            c->fate = FATE_CHANGED;
    }
    if (rc || w->settled) { /* half of the targets is no change */
        c->targets = NULL;
    } else {
        c->ntargets = e->ntargets;
    }
    return rc;
}

static enum rc note_reads(struct work *w)
{
    const struct entity_recipe *e = w->entity;
    struct str type = w->recipe->plan->type;
    uint32_t n = type.n && item_get(w->item, type) ? e->ntyped : e->nreads;
    struct change *c = w->out;
    c->reads = arena_array(w->arena, n + 1, sizeof *c->reads);
    if (!c->reads)
        return RC_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        c->reads[c->nreads++] =
            (struct setting){.path = e->reads[i], .old = path_find(w->item, &e->reads[i])};
    }
    return RC_OK;
}

/* RC_OK: out->fate says what is to be done. RC_DATA: nothing can be, out->why says why. */
static enum rc compute(struct work *w)
{
    const struct entity *e = w->entity->entity;
    enum rc rc = split_keys(w);
    if (!rc && e->backfill_when && !condition_eval(e->backfill_when, condition_input, w))
        return settle(w, FATE_FILTERED);
    if (!rc)
        rc = make_targets(w);
    if (!rc && !w->settled)
        rc = note_reads(w);
    if (!rc && w->out->fate == FATE_CHANGED)
        rc = recipe_limits(w->entity, w->out);
    return rc == RC_DATA ? failed(w) : rc;
}

static enum rc route(struct work *w, int64_t now_us)
{
    const struct plan *plan = w->recipe->plan;
    struct change *c = w->out;
    enum rc rc = check_key(w);
    if (rc)
        return rc;
    if (route_expired(plan, w->item, now_us))
        return settle(w, FATE_FILTERED);
    c->entity = route_item(plan, w->item);
    if (c->entity == ROUTE_NONE)
        return settle(w, FATE_UNROUTED);
    w->entity = &w->recipe->entities[c->entity];
    if (w->entity->ntargets)
        return RC_OK;
    fault_set(&c->why, "no-backfill", 0, "entity \"%.*s\" has no backfill",
              STR_FMT(plan->model->entities[c->entity].name));
    return settle(w, FATE_SKIPPED);
}

static enum rc apply_once(const struct recipe *r, const struct item *item, int64_t now_us,
                          struct arena *a, struct change *out)
{
    struct work w = {.recipe = r, .item = item, .arena = a, .out = out};
    *out =
        (struct change){.entity = UINT32_MAX, .size_before = item_size(item->members, item->n)};
    buf_init(&w.text, BUF_NO_LIMIT); /* bounded by the item's size and the template's parts */
    enum rc rc = route(&w, now_us);
    if (!rc && !w.settled)
        rc = compute(&w);
    buf_release(&w.text);
    return rc == RC_NOMEM ? RC_NOMEM : RC_OK;
}

/* The item as it will be. */
static enum rc changed_item(const struct change *c, const struct item *item, struct arena *a,
                            struct item *out)
{
    *out =
        (struct item){.members = arena_array(a, item->n + c->ntargets, sizeof *out->members)};
    if (!out->members)
        return RC_NOMEM;
    for (uint32_t i = 0; i < item->n; i++) {
        bool target = false;
        for (uint32_t k = 0; k < c->ntargets; k++)
            target |= str_eq(c->targets[k].path.members[0], item->members[i].name);
        if (!target)
            out->members[out->n++] = item->members[i];
    }
    for (uint32_t k = 0; k < c->ntargets; k++) {
        const struct setting *s = &c->targets[k];
        if (s->new_)
            out->members[out->n++] = (struct member){s->path.members[0], *s->new_};
    }
    return RC_OK;
}

/* A second run must find nothing to do. */
static enum rc check_stable(const struct recipe *r, const struct item *item, int64_t now_us,
                            struct arena *a, struct change *c)
{
    struct item after;
    struct change again;
    enum rc rc = changed_item(c, item, a, &after);
    if (!rc)
        rc = apply_once(r, &after, now_us, a, &again);
    if (rc || (again.fate != FATE_CHANGED && again.fate != FATE_FAILED))
        return rc;
    c->fate = FATE_FAILED;
    fault_set(&c->why, "unstable", 0, "a second backfill would %s: a target is also an input",
              again.fate == FATE_CHANGED ? "change the item once more" : "fail on the item");
    return RC_OK;
}

enum rc recipe_apply(const struct recipe *r, const struct item *item, int64_t now_us,
                     struct arena *a, struct change *out)
{
    enum rc rc = apply_once(r, item, now_us, a, out);
    if (!rc && out->fate == FATE_CHANGED && r->entities[out->entity].circular)
        rc = check_stable(r, item, now_us, a, out);
    return rc;
}

bool recipe_change_stands(const struct change *c, const struct item *item, bool old)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        const struct setting *s = &c->targets[i];
        if (!value_same(item_get(item, s->path.members[0]), old ? s->old : s->new_))
            return false;
    }
    return true;
}

bool recipe_change_left(const struct change *c, const struct item *item)
{
    bool found = false;
    for (uint32_t i = 0; !found && i < c->ntargets; i++) {
        const struct setting *s = &c->targets[i];
        found = !value_same(s->old, s->new_) &&
                value_same(item_get(item, s->path.members[0]), s->new_);
    }
    return found;
}
