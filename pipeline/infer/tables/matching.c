/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/matching.h"

#include "pipeline/infer/words.h"

enum { DISTINCT = 8, TELLING = 6 };

struct infer_match matching_compare(const struct infer_design *d, const uint32_t *a,
                                    const uint32_t *b, uint32_t n)
{
    struct infer_match m = {0};
    uint32_t seen[DISTINCT];
    for (uint32_t i = 0; i < n; i++) {
        m.only_a += a[i] && !b[i];
        m.only_b += b[i] && !a[i];
        m.differ += a[i] && b[i] && a[i] != b[i];
        if (!a[i] || a[i] != b[i])
            continue;
        m.same++;
        uint32_t k = 0;
        while (k < m.distinct && seen[k] != a[i])
            k++;
        if (k == m.distinct && m.distinct < DISTINCT)
            seen[m.distinct++] = a[i];
        m.telling = m.telling || d->texts.v[a[i] - 1].n >= TELLING;
    }
    return m;
}

bool matching_sure(const struct infer_match *m, bool named)
{
    return m->same > 0 && m->differ == 0 &&
           (m->distinct >= 3 || named || (m->telling && m->distinct > 0));
}

void matching_replace(struct infer_entity *e, uint32_t from, uint32_t to)
{
    for (size_t f = 0; f < e->nforms; f++) {
        for (int k = 0; k < INFER_KEYS_MAX; k++) {
            struct infer_template *t = &e->forms[f].keys[k];
            for (uint32_t i = 0; i < t->n; i++) {
                if (!t->v[i].literal.p && t->v[i].column == from)
                    t->v[i].column = to;
            }
        }
    }
}

static void merge_into(struct infer_entity *e, uint32_t from, uint32_t to)
{
    struct infer_column *gone = e->table->columns[from];
    struct infer_column *kept = e->table->columns[to];
    for (uint32_t i = 0; i < kept->nv; i++)
        kept->v[i] = kept->v[i] ? kept->v[i] : gone->v[i];
    if (!kept->prefix.n || words_root_like(kept->prefix))
        kept->prefix = gone->prefix.n ? gone->prefix : kept->prefix;
    gone->gone = true;
    matching_replace(e, from, to);
}

/* Two parts of one form that are always equal. */
static void merge_parts(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = e->table;
    for (uint32_t a = 0; a < t->ncolumns; a++) {
        struct infer_column *x = t->columns[a];
        for (uint32_t b = a + 1; b < t->ncolumns && x->origin == INFER_PART && !x->gone; b++) {
            struct infer_column *y = t->columns[b];
            if (y->origin != INFER_PART || y->gone)
                continue;
            struct infer_match m = matching_compare(d, x->v, y->v, t->nrows);
            bool named = (x->prefix.n && str_eq(x->prefix, y->prefix)) ||
                         (y->prefix.n && words_root_like(y->prefix)) ||
                         (!x->prefix.n && !y->prefix.n);
            if (m.only_a == 0 && m.only_b == 0 && matching_sure(&m, named))
                merge_into(e, b, a);
        }
    }
}

static bool names_fit(const struct infer_column *part, const struct infer_column *attribute)
{
    struct str name = attribute->node->name;
    struct str stem = words_stem(name);
    return stem.n < name.n || words_same(part->prefix, stem) || words_ends(name, STR("id"));
}

/* How well an attribute repeats a part; 0: it does not. */
static int fit(const struct infer_design *d, const struct infer_table *t,
               const struct infer_column *part, const struct infer_column *a)
{
    if (a->gone || a->origin != INFER_ATTRIBUTE || a->node->parent != t->root || a->part ||
        a->listed)
        return 0;
    struct infer_match m = matching_compare(d, part->v, a->v, t->nrows);
    bool named = names_fit(part, a);
    if (!matching_sure(&m, named) || m.only_a * 10 > m.same || (m.only_a && !named))
        return 0;
    return 1 + 2 * named + 4 * words_same(part->prefix, words_stem(a->node->name)) +
           (m.only_a == 0) - 3 * words_index_like(a->node->name);
}

void matching_parts(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = e->table;
    merge_parts(d, e);
    for (uint32_t p = 0; p < t->ncolumns; p++) {
        struct infer_column *part = t->columns[p];
        uint32_t best = 0;
        int most = 0;
        for (uint32_t a = 0; a < t->ncolumns && part->origin == INFER_PART && !part->gone;
             a++) {
            int score = fit(d, t, part, t->columns[a]);
            if (score > most) {
                most = score;
                best = a;
            }
        }
        if (most > 0) {
            t->columns[best]->part = true;
            merge_into(e, p, best);
        }
    }
}
