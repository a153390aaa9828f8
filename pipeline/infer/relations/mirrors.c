/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/relations/mirrors.h"

#include <stdlib.h>

#include "pipeline/infer/entities/likeness.h"
#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/tables/templates.h"

enum { LEAST = 3, FORMS_MAX = 400 };

/* The pairs of parts of one form. */
struct pairs {
    struct infer_entity *e;
    uint32_t form;
    uint64_t *v, *turned;
    uint32_t n;
};

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The one part of a key, or the last of the partition key's. */
static uint32_t last_part(struct infer_design *d, const struct infer_template *t,
                          struct str text)
{
    struct str parts[INFER_TOKENS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++)
        n += !t->v[i].literal.p;
    return n == 1 && templates_match(t, text, parts) ? infer_text(d, parts[0]) : 0;
}

static bool read_pairs(struct infer_design *d, struct pairs *p)
{
    const struct infer_form *f = &p->e->forms[p->form];
    p->v = infer_new(d, (size_t)f->n + 1, sizeof *p->v);
    p->turned = infer_new(d, (size_t)f->n + 1, sizeof *p->turned);
    uint32_t equal = 0;
    for (uint32_t r = 0; p->v && p->turned && r < f->n; r++) {
        uint32_t part[2] = {0, 0};
        for (uint32_t k = 0; k < 2; k++) {
            const struct val *v = item_get(&d->items[p->e->items[f->rows[r]]], d->key[k]);
            if (v && v->kind == VAL_S)
                part[k] = last_part(d, &f->keys[k], v->u.s);
        }
        if (!part[0] || !part[1])
            return false;
        equal += part[0] == part[1];
        p->v[p->n] = (uint64_t)part[0] << 32 | part[1];
        p->turned[p->n++] = (uint64_t)part[1] << 32 | part[0];
    }
    if (p->n < LEAST || equal == p->n || !p->v || !p->turned)
        return false;
    qsort(p->v, p->n, sizeof *p->v, compare_pairs);
    qsort(p->turned, p->n, sizeof *p->turned, compare_pairs);
    return true;
}

static bool mirrored(const struct pairs *a, const struct pairs *b)
{
    uint32_t same = 0;
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < a->n && k < b->n) {
        same += a->v[i] == b->turned[k];
        bool step = a->v[i] <= b->turned[k];
        bool other = b->turned[k] <= a->v[i];
        i += step;
        k += other;
    }
    uint32_t most = a->n > b->n ? a->n : b->n;
    return same * 10 >= most * 8;
}

/* Puts the rows of a form into an entity of their own. */
static struct infer_entity *part_form(struct infer_design *d, struct infer_entity *e,
                                      uint32_t form)
{
    struct infer_entity *to = infer_new(d, 1, sizeof *to);
    uint8_t *moved = infer_new(d, (size_t)e->n + 1, 1);
    uint32_t *row = infer_new(d, (size_t)e->n + 1, sizeof *row);
    struct infer_form *f = infer_new(d, 1, sizeof *f);
    d->entities = infer_push(d, d->entities, d->nentities, &d->capentities, sizeof(void *));
    if (!to || !moved || !row || !f || !d->entities)
        return NULL;
    *f = e->forms[form];
    to->type = e->type;
    to->items = infer_new(d, (size_t)f->n + 1, sizeof *to->items);
    for (uint32_t i = 0; to->items && i < f->n; i++) {
        moved[f->rows[i]] = 1;
        to->items[to->n++] = e->items[f->rows[i]];
        f->rows[i] = i;
    }
    to->forms = f;
    to->nforms = to->capforms = 1;
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        row[i] = n;
        if (!moved[i])
            e->items[n++] = e->items[i];
    }
    e->n = n;
    for (size_t i = form; i + 1 < e->nforms; i++)
        e->forms[i] = e->forms[i + 1];
    e->nforms--;
    for (size_t i = 0; i < e->nforms; i++) {
        for (uint32_t k = 0; k < e->forms[i].n; k++)
            e->forms[i].rows[k] = row[e->forms[i].rows[k]];
    }
    d->entities[d->nentities++] = to;
    return to;
}

/* Both are recognised by their keys: one type, or none, is not enough. */
static void pair_up(struct infer_design *d, struct pairs *a, struct pairs *b)
{
    struct infer_entity *other = b->e;
    if (a->e == b->e)
        other = part_form(d, a->e, b->form);
    if (!other)
        return;
    other->mirror = a->e;
    other->by_when = a->e->by_when = true;
    a->e->mirrored = true;
}

void mirrors_find(struct infer_design *d)
{
    size_t n = 0;
    struct pairs *v = infer_new(d, FORMS_MAX, sizeof *v);
    for (size_t i = 0; v && d->nkey == 2 && i < d->nentities; i++) {
        struct infer_entity *e = d->entities[i];
        for (uint32_t f = 0; e->nforms <= 2 && f < e->nforms && n < FORMS_MAX; f++) {
            v[n] = (struct pairs){.e = e, .form = f};
            n += read_pairs(d, &v[n]);
        }
    }
    for (size_t a = 0; a < n && !d->failed; a++) {
        for (size_t b = a + 1; b < n; b++) {
            bool free_pair =
                !v[a].e->mirror && !v[a].e->mirrored && !v[b].e->mirror && !v[b].e->mirrored;
            bool alone = v[a].e == v[b].e || (v[a].e->nforms == 1 && v[b].e->nforms == 1 &&
                                              !v[a].e->type.p == !v[b].e->type.p);
            if (free_pair && alone && mirrored(&v[a], &v[b]))
                pair_up(d, &v[a], &v[b]);
        }
    }
}

static void lend_prefix(const struct infer_table *to, const struct infer_table *from)
{
    struct infer_column *c = to->columns[to->key[1]];
    const struct infer_column *known = from->columns[from->key[0]];
    if (known->prefix.n)
        c->prefix = known->prefix;
}

void mirrors_prefixes(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities; i++) {
        struct infer_entity *e = d->entities[i];
        if (e->mirror && e->table->nkey == 2 && e->mirror->table->nkey == 2) {
            lend_prefix(e->table, e->mirror->table);
            lend_prefix(e->mirror->table, e->table);
        }
    }
}

void mirrors_symmetric(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        const struct infer_reference *r = t->references;
        uint32_t found = 0;
        if (t->nkey != 2 || t->nreferences < 2 || t->nrows < 6)
            continue;
        struct infer_table *to[2] = {NULL, NULL};
        for (size_t k = 0; k < t->nreferences; k++) {
            for (int side = 0; side < 2; side++)
                to[side] = r[k].n == 1 && r[k].columns[0] == t->key[side] ? r[k].to : to[side];
        }
        if (!to[0] || to[0] != to[1])
            continue;
        const uint32_t *a = t->columns[t->key[0]]->v;
        const uint32_t *b = t->columns[t->key[1]]->v;
        uint64_t *pairs = infer_new(d, (size_t)t->nrows + 1, sizeof *pairs);
        if (!pairs)
            return;
        for (uint32_t k = 0; k < t->nrows; k++)
            pairs[k] = (uint64_t)a[k] << 32 | b[k];
        qsort(pairs, t->nrows, sizeof *pairs, compare_pairs);
        for (uint32_t k = 0; k < t->nrows; k++) {
            uint64_t turned = (uint64_t)b[k] << 32 | a[k];
            found += bsearch(&turned, pairs, t->nrows, sizeof *pairs, compare_pairs) != NULL;
        }
        t->symmetric = found * 10 >= t->nrows * 8;
    }
}
