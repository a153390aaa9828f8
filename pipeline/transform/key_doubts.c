/* SPDX-License-Identifier: MIT */
/*
 * Only what can be a mistake is noted: a part that says `sep` may hold separators, one that says
 * `no-sep` holds none, and typed ones are spelt as their type is. An entity whose `when` is true of
 * everything is there for what the others leave.
 */
#include "pipeline/transform/key_doubts.h"

#include "pipeline/item/canon.h"
#include "pipeline/model/key_forms.h"
#include "pipeline/transform/route.h"

void key_doubts_init(struct key_doubts *d, const struct plan *plan)
{
    *d = (struct key_doubts){.plan = plan};
    arena_init(&d->arena, 4096);
}

void key_doubts_release(struct key_doubts *d)
{
    arena_release(&d->arena);
}

/* The text for an example, cut; masked models show none. */
static struct str example_of(struct key_doubts *d, struct str text, struct err *err)
{
    enum { SHOWN = 200 };
    if (d->plan->masks)
        return (struct str){0};
    struct str kept = arena_dup(&d->arena, str_make(text.p, text.n < SHOWN ? text.n : SHOWN));
    if (!kept.p)
        (void)err_nomem(err);
    return kept;
}

static void add_swallow(struct key_doubts *d, const struct key_swallow *found, struct str text,
                        struct err *err)
{
    uint32_t i = 0;
    while (i < d->nswallows && d->swallows[i].part != found->part)
        i++;
    if (i == d->nswallows && i < KEY_DOUBTS) {
        d->swallows[i] = *found;
        d->swallows[i].example = example_of(d, text, err);
        d->nswallows++;
    }
    if (i < d->nswallows)
        d->swallows[i].items++;
}

static void look_at_parts(struct key_doubts *d, uint32_t entity, const struct key_spec *key,
                          struct str text, struct err *err)
{
    struct str parts[TPL_PARTS];
    uint32_t part = 0;
    if (!template_match(&key->tpl, text, parts))
        return;
    for (uint32_t i = 0; i < key->tpl.n; i++) {
        const struct template_piece *p = &key->tpl.pieces[i];
        if (p->literal)
            continue;
        struct str found = parts[part++];
        if (p->type != COL_TEXT || p->separators != SEPARATORS_UNSAID || !found.p)
            continue;
        struct str separator = template_separator_in(&key->tpl, found);
        if (separator.n) {
            struct key_swallow s = {
                .entity = entity, .key = key, .part = p, .separator = separator};
            add_swallow(d, &s, text, err);
        }
    }
}

static void look_at_keys(struct key_doubts *d, const struct transform_trace *t, struct err *err)
{
    const struct keys_spec *keys = &d->plan->model->entities[t->entity].keys;
    struct key_forms_item k = {keys, &t->item};
    uint32_t form = keys->nforms > 1 ? key_forms_choose(keys, key_forms_value, &k, NULL) : 0;
    for (uint32_t i = 0; i < keys->n; i++) {
        const struct val *v = keys->v[i].form == form ? key_forms_value(&k, i) : NULL;
        if (v && v->kind == VAL_S)
            look_at_parts(d, t->entity, &keys->v[i], v->u.s, err);
    }
}

static bool takes_all(const struct entity *e)
{
    return e->when && e->when->op == COND_ALL && e->when->nkids == 0;
}

static void add_overlap(struct key_doubts *d, const struct transform_trace *t, uint32_t later,
                        struct err *err)
{
    struct key_overlap *v = d->overlaps;
    uint32_t i = 0;
    while (i < d->noverlaps && (v[i].entity != t->entity || v[i].later != later))
        i++;
    if (i == d->noverlaps && i < KEY_DOUBTS) {
        struct buf key;
        buf_init(&key, 4096);
        canon_key(&key, &t->item, d->plan->key.v, d->plan->key.n);
        struct str text = d->plan->key.n && !key.rc ? buf_view(&key) : t->item.raw;
        v[i] = (struct key_overlap){
            .entity = t->entity, .later = later, .example = example_of(d, text, err)};
        buf_release(&key);
        d->noverlaps++;
    }
    if (i < d->noverlaps)
        v[i].items++;
}

enum rc key_doubts_add(struct key_doubts *d, const struct transform_trace *t, struct err *err)
{
    const struct model *m = d->plan->model;
    struct err failed = {0};
    if (t->entity >= m->nentities)
        return RC_OK;
    look_at_keys(d, t, &failed);
    for (uint32_t i = t->entity + 1; i < m->nentities; i++) {
        if (!takes_all(&m->entities[i]) && route_matches(d->plan, i, &t->item))
            add_overlap(d, t, i, &failed);
    }
    if (failed.rc)
        *err = failed;
    return failed.rc;
}
