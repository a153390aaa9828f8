/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/entities/routes.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/likeness.h"
#include "pipeline/infer/tables/templates.h"

/* How particular an entity's keys are: constants count, then parts, then items (fewer first). */
static uint64_t weight(const struct infer_design *d, const struct infer_entity *e)
{
    uint64_t least = UINT64_MAX;
    for (size_t f = 0; f < e->nforms; f++) {
        uint64_t w = 0;
        for (uint32_t k = 0; k < d->nkey; k++) {
            const struct infer_template *t = &e->forms[f].keys[k];
            for (uint32_t i = 0; i < t->n; i++)
                w += t->v[i].literal.p ? t->v[i].literal.n * 16 + 4 : 2;
            w += t->n > 0 && t->v[t->n - 1].literal.p ? 64 : 0;
        }
        least = w < least ? w : least;
    }
    return least == UINT64_MAX ? 0 : least;
}

struct ranked {
    struct infer_entity *e;
    uint64_t weight;
    size_t at;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct ranked *x = a;
    const struct ranked *y = b;
    if ((x->e->nmust > 0) != (y->e->nmust > 0))
        return x->e->nmust > 0 ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool form_takes(const struct infer_design *d, const struct infer_form *f,
                       const struct item *item)
{
    struct str parts[INFER_TOKENS_MAX];
    for (uint32_t k = 0; k < d->nkey; k++) {
        const struct val *v = item_get(item, d->key[k]);
        if (f->keys[k].n &&
            (!v || v->kind != VAL_S || !templates_match(&f->keys[k], v->u.s, parts)))
            return false;
    }
    return true;
}

static bool takes(const struct infer_design *d, const struct infer_entity *e,
                  const struct item *item)
{
    const struct val *type = d->type.n ? item_get(item, d->type) : NULL;
    if (type && !e->by_when && !e->nmust)
        return e->type.p && type->kind == VAL_S && str_eq(type->u.s, e->type);
    for (size_t i = 0; i < e->nmust; i++) {
        if (!item_get(item, e->must[i]))
            return false;
    }
    for (size_t f = 0; f < e->nforms; f++) {
        if (form_takes(d, &e->forms[f], item))
            return true;
    }
    return e->nforms == 0;
}

/* An attribute that all items of e have, and none of those that it would take from others. */
static bool find_must(struct infer_design *d, struct infer_entity *e)
{
    struct infer_likeness own = likeness_of(d, e->items, e->n);
    for (uint32_t i = 0; i < own.n; i++) {
        struct str name = d->texts.v[own.names[i] - 1];
        bool good = own.counts[i] == e->n && !(name.n && memchr(name.p, '\x01', name.n)) &&
                    !str_eq(name, d->type);
        for (size_t o = 0; o < d->nentities && good; o++) {
            const struct infer_entity *other = d->entities[o];
            for (uint32_t r = 0; other != e && r < other->n && good; r++) {
                const struct item *item = &d->items[other->items[r]];
                good = !(item_get(item, name) && takes(d, e, item));
            }
        }
        if (good) {
            e->must = infer_new(d, 1, sizeof *e->must);
            if (e->must)
                e->must[0] = name;
            e->nmust = e->must ? 1 : 0;
            return true;
        }
    }
    return false;
}

/* Does an entity take items of one that comes later? */
static bool steals(const struct infer_design *d, size_t at)
{
    const struct infer_entity *e = d->entities[at];
    for (size_t o = at + 1; o < d->nentities; o++) {
        const struct infer_entity *other = d->entities[o];
        for (uint32_t r = 0; r < other->n; r++) {
            if (takes(d, e, &d->items[other->items[r]]))
                return true;
        }
    }
    return false;
}

static void sort_entities(struct infer_design *d)
{
    struct ranked *v = infer_new(d, d->nentities + 1, sizeof *v);
    for (size_t i = 0; v && i < d->nentities; i++)
        v[i] = (struct ranked){d->entities[i], weight(d, d->entities[i]), i};
    if (!v)
        return;
    qsort(v, d->nentities, sizeof *v, compare_ranks);
    for (size_t i = 0; i < d->nentities; i++)
        d->entities[i] = v[i].e;
}

void routes_order(struct infer_design *d)
{
    sort_entities(d);
    for (size_t i = 0; i < d->nentities && d->nentities <= 500 && !d->failed; i++) {
        if (!d->entities[i]->nmust && steals(d, i))
            (void)find_must(d, d->entities[i]);
    }
    if (!d->failed)
        sort_entities(d);
}

void routes_unify_mirror(struct infer_design *d, struct infer_entity *e)
{
    if (!e->mirror)
        return;
    (void)d;
    struct infer_table *t = e->table;
    struct infer_table *of = e->mirror->table;
    for (size_t i = 0; i < t->ncolumns; i++) {
        for (size_t k = 0; k < of->ncolumns; k++) {
            struct infer_column *a = t->columns[i];
            struct infer_column *b = of->columns[k];
            if (a->gone || b->gone || !str_eq(a->name, b->name))
                continue;
            bool key = k == of->key[0] || k == of->key[1];
            if (key) {
                a->type = b->type;
            } else if (strcmp(a->type, b->type) != 0) {
                a->type = b->type = "text";
            }
            a->not_null = b->not_null = a->not_null && b->not_null;
        }
    }
}
