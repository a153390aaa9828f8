/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/relations/key_choice.h"

#include <string.h>

#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/words.h"

enum { PARTS_MAX = 8 };

static void add_part(struct infer_table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nparts; i++) {
        if (t->parts[i] == column)
            return;
    }
    if (t->nparts < PARTS_MAX)
        t->parts[t->nparts++] = column;
}

static uint32_t attribute_column(const struct infer_table *t, struct str name)
{
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct infer_column *c = t->columns[i];
        if (!c->gone && c->node && c->node->parent == t->root && str_eq(c->node->name, name))
            return i;
    }
    return UINT32_MAX;
}

void key_choice_parts(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = e->table;
    t->nparts = 0;
    for (size_t f = 0; f < e->nforms; f++) {
        for (uint32_t k = 0; k < d->nkey; k++) {
            const struct infer_template *tpl = &e->forms[f].keys[k];
            uint32_t whole = tpl->n ? UINT32_MAX : attribute_column(t, d->key[k]);
            for (uint32_t i = 0; i < tpl->n; i++) {
                if (!tpl->v[i].literal.p && tpl->v[i].column != UINT32_MAX)
                    add_part(t, tpl->v[i].column);
            }
            if (whole != UINT32_MAX)
                add_part(t, whole);
        }
    }
}

/* The parts that every row has, in order. */
static uint32_t full_parts(const struct infer_table *t, uint32_t out[PARTS_MAX])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->nparts; i++) {
        const struct infer_column *c = t->columns[t->parts[i]];
        bool full = t->nrows > 0;
        for (uint32_t r = 0; r < t->nrows && full; r++)
            full = c->v[r] != 0;
        if (full)
            out[n++] = t->parts[i];
    }
    return n;
}

/* Days, instants and small counts are unique only by chance. */
static bool counts_or_dates(const struct infer_column *c)
{
    const struct infer_facts *f = &c->facts;
    if (!f->filled)
        return true;
    if (f->dates == f->filled || f->stamps == f->filled || f->naive == f->filled || c->unit)
        return true;
    return f->integers + f->padded == f->filled && f->filled < 4 && f->least >= 0 &&
           f->least <= 1 && !f->big;
}

/* Is it the id of a thing that has items of its own elsewhere? */
static bool is_another(struct infer_design *d, const struct infer_table *t,
                       struct infer_column *c)
{
    table_set(d, c);
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        const struct infer_table *u = d->entities[i]->table;
        if (u == t || u->nkey != 1 || u->nparts != 1)
            continue;
        struct infer_column *id = u->columns[u->key[0]];
        uint32_t found = 0;
        table_set(d, id);
        for (uint32_t k = 0; k < c->nset; k++)
            found += table_has(id, c->set[k]);
        bool same_word = c->prefix.n && str_eq(c->prefix, id->prefix);
        bool named = c->node && words_same(words_stem(c->node->name), u->word);
        bool long_ids = c->facts.uuids == c->facts.filled ||
                        (c->facts.integers < c->facts.filled && c->facts.shortest >= 10);
        if (c->nset && found * 10 >= c->nset * 9 && (same_word || named || long_ids))
            return true;
    }
    return false;
}

static void set_key(struct infer_table *t, const uint32_t *v, uint32_t n)
{
    memcpy(t->key, v, n * sizeof *v);
    t->nkey = n;
}

/* Leaves out what the others decide, from the front. */
static void shorten(struct infer_design *d, struct infer_table *t, uint32_t *v, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n && n > 2;) {
        uint32_t rest[PARTS_MAX];
        uint32_t m = 0;
        for (uint32_t k = 0; k < n; k++) {
            if (k != i)
                rest[m++] = v[k];
        }
        if (table_unique(d, t, rest, m)) {
            memcpy(v, rest, m * sizeof *v);
            n = m;
        } else {
            i++;
        }
    }
    set_key(t, v, n);
}

void key_choice_attribute(struct infer_design *d, struct infer_table *t, struct str name)
{
    uint32_t column = attribute_column(t, name);
    uint32_t v[PARTS_MAX];
    if (column == UINT32_MAX)
        return;
    add_part(t, column);
    if (full_parts(t, v) == t->nparts && table_unique(d, t, v, t->nparts))
        set_key(t, v, t->nparts);
}

/* One part, and all rows differ in it. */
static void choose_roots(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        uint32_t v[PARTS_MAX];
        uint32_t n = full_parts(t, v);
        if (n == 1 && table_unique(d, t, v, 1))
            set_key(t, v, 1);
    }
}

static void choose(struct infer_design *d, struct infer_table *t)
{
    uint32_t v[PARTS_MAX];
    uint32_t n = full_parts(t, v);
    if (t->nkey || n < 2)
        return;
    for (uint32_t i = n; i-- > 0;) {
        struct infer_column *c = t->columns[v[i]];
        if (!counts_or_dates(c) && table_unique(d, t, &v[i], 1) && !is_another(d, t, c)) {
            set_key(t, &v[i], 1);
            return;
        }
    }
    if (table_unique(d, t, v, n))
        shorten(d, t, v, n);
}

void key_choice_make(struct infer_design *d)
{
    choose_roots(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        choose(d, d->entities[i]->table);
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_entity *e = d->entities[i];
        if (e->mirror || e->mirrored) {
            uint32_t v[PARTS_MAX];
            if (full_parts(e->table, v) == 2)
                set_key(e->table, v, 2);
        }
    }
}
