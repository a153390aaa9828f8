/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/relations/extracts.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/words.h"

/* Rows with an id that other rows have, too; those whose copy is not that of most. */
struct agreement {
    uint32_t repeated, odd;
};

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* One id's rows, sorted by their copies, from i to end. */
static void count_id(const uint64_t *v, uint32_t i, uint32_t end, struct agreement *a)
{
    uint32_t most = 0;
    for (uint32_t k = i; k < end;) {
        uint32_t next = k;
        while (next < end && v[next] == v[k])
            next++;
        most = next - k > most ? next - k : most;
        k = next;
    }
    if (end - i > 1) {
        a->repeated += end - i;
        a->odd += end - i - most;
    }
}

static struct agreement agree(struct infer_design *d, const struct infer_column *id,
                              const struct infer_column *copy)
{
    struct agreement a = {0};
    uint32_t n = 0;
    uint64_t *v = malloc(((size_t)id->nv + 1) * sizeof *v);
    if (!v) {
        d->failed = true;
        return a;
    }
    for (uint32_t i = 0; i < id->nv; i++) {
        if (id->v[i] && copy->v[i])
            v[n++] = (uint64_t)id->v[i] << 32 | copy->v[i];
    }
    qsort(v, n, sizeof *v, compare_pairs);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i;
        while (end < n && v[end] >> 32 == v[i] >> 32)
            end++;
        count_id(v, i, end, &a);
        i = end;
    }
    free(v);
    return a;
}

static bool plain(const struct infer_table *t, const struct infer_column *c)
{
    return !c->gone && !c->listed && c->node && c->node->parent == t->root && !c->as_copy &&
           !c->facts.kinds[VAL_M] && !c->facts.kinds[VAL_L] && c->facts.filled > 0;
}

static bool refers(const struct infer_table *t, uint32_t column)
{
    for (size_t i = 0; i < t->nreferences; i++) {
        for (uint32_t k = 0; k < t->references[i].n; k++) {
            if (t->references[i].columns[k] == column)
                return true;
        }
    }
    return false;
}

static bool in_key(const struct infer_table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column && t->nkey == 1)
            return true;
    }
    return false;
}

static bool is_table(const struct infer_design *d, struct str name)
{
    for (size_t i = 0; i < d->nentities; i++) {
        const struct infer_table *t = d->entities[i]->table;
        if (str_eq(t->name, name))
            return true;
        for (size_t x = 0; x < t->nextracts; x++) {
            if (str_eq(t->extracts[x].into, name))
                return true;
        }
    }
    return false;
}

/* The attributes that share the stem of the id and depend on it. */
static void gather(struct infer_design *d, struct infer_table *t, struct infer_extract *x,
                   struct str stem)
{
    const struct infer_column *id = t->columns[x->key];
    for (uint32_t i = 0; i < t->ncolumns && x->n < 16; i++) {
        struct infer_column *c = t->columns[i];
        if (i == x->key || !plain(t, c) || refers(t, i) || in_key(t, i) || c->part ||
            c->name.n <= stem.n + 1 || !str_starts(c->name, stem) || c->name.p[stem.n] != '_')
            continue;
        struct agreement a = agree(d, id, c);
        if (a.repeated < 4 || a.odd * 100 > a.repeated * 20)
            continue;
        x->differ += a.odd;
        x->columns[x->n++] = i;
    }
}

static void try_id(struct infer_design *d, struct infer_table *t, uint32_t column)
{
    struct infer_column *c = t->columns[column];
    struct str stem = words_stem(c->name);
    struct infer_extract x = {.into = stem, .key = column};
    if (stem.n == c->name.n || refers(t, column) || in_key(t, column) || is_table(d, stem))
        return;
    table_set(d, c);
    if (c->facts.filled < c->nset + 4)
        return;
    gather(d, t, &x, stem);
    if (x.n == 0)
        return;
    t->extracts =
        infer_push(d, t->extracts, t->nextracts, &t->capextracts, sizeof *t->extracts);
    if (!t->extracts)
        return;
    for (uint32_t i = 0; i < x.n; i++)
        t->columns[x.columns[i]]->as_copy = true;
    t->extracts[t->nextracts++] = x;
}

void extracts_find(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        for (uint32_t c = 0; c < t->ncolumns && !d->failed; c++) {
            if (plain(t, t->columns[c]) && !d->entities[i]->mirror && !d->entities[i]->mirrored)
                try_id(d, t, c);
        }
    }
}
