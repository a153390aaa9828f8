/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/relations/references.h"

#include <string.h>

#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/words.h"

/* What speaks for one column referring to one table. */
struct evidence {
    double share; /* of the different values, those that are keys there */
    uint32_t found;
    bool prefix, named, rare;
    int score;    /* 0: none */
    bool counted; /* ids that are counted up: believed only if no other table has them */
};

/* Values that are no small counts, dates or common words. */
static bool rare_values(const struct infer_column *c)
{
    const struct infer_facts *f = &c->facts;
    if (f->dates || f->stamps || f->booleans || f->kinds[VAL_BOOL] || f->decimals || f->naive)
        return false;
    if (f->uuids == f->filled)
        return true;
    if (f->integers + f->padded > 0)
        return f->longest >= 10 && f->shortest >= 8;
    return f->shortest >= 4 && (f->shortest >= 6 || c->nset >= 4);
}

/* Short ids under a name that is not the table's: many tables count so. */
static bool short_codes(const struct infer_column *c)
{
    return c->node && words_stem(c->node->name).n < c->node->name.n && c->facts.longest < 10;
}

static bool scalar(const struct infer_column *c)
{
    return !c->gone && !c->listed && c->facts.filled > 0 && !c->facts.kinds[VAL_M] &&
           !c->facts.kinds[VAL_L] && c->origin != INFER_ORDINAL && !c->as_copy;
}

/* The column is called after the table: customer_id, or billing_customer for customer. */
static bool is_named(const struct infer_column *c, const struct infer_table *u,
                     const struct infer_column *id)
{
    struct str name = c->node ? c->node->name : c->prefix;
    struct str stem = words_stem(name);
    if (!name.n)
        return false;
    if (words_same(stem, u->word) || (u->entity->type.n && words_same(stem, u->entity->type)))
        return true;
    if (id->node && words_same(name, id->node->name) && stem.n < name.n)
        return true;
    if (id->node && stem.n < name.n && words_same(stem, words_stem(id->node->name)) &&
        words_stem(id->node->name).n < id->node->name.n)
        return true;
    return u->word.n > 3 && stem.n > u->word.n && words_ends(stem, u->word);
}

/* Numbers from a hundred on that are one part of a key of several. */
static bool counted_ids(const struct infer_table *t, const struct infer_column *c)
{
    const struct infer_facts *f = &c->facts;
    bool key = false;
    for (uint32_t i = 0; i < t->nkey && t->nkey > 1; i++)
        key = key || t->columns[t->key[i]] == c;
    return key && f->integers + f->padded == f->filled && f->least >= 100;
}

static struct evidence weigh(struct infer_design *d, const struct infer_table *t,
                             struct infer_column *c, const struct infer_table *u,
                             struct infer_column *id)
{
    struct evidence e = {0};
    table_set(d, c);
    table_set(d, id);
    for (uint32_t i = 0; i < c->nset; i++)
        e.found += table_has(id, c->set[i]);
    if (!e.found || d->failed)
        return e;
    e.share = (double)e.found / c->nset;
    e.prefix = c->prefix.n && id->prefix.n && str_eq(c->prefix, id->prefix) &&
               !words_root_like(c->prefix);
    e.named = is_named(c, u, id) || (u == t && c->node && words_parent_like(c->node->name));
    e.rare = rare_values(c);
    if (e.prefix && e.share >= 0.5) {
        e.score = 4 + e.named;
    } else if (e.named && e.share >= (e.rare ? 0.5 : 0.8)) {
        e.score = 3;
    } else if (e.rare && !short_codes(c) && e.share >= 0.98 &&
               (e.found >= 3 || (c->facts.shortest >= 5 && e.found >= 2))) {
        e.score = 1 + (e.found >= 8);
    }
    if (!e.score && counted_ids(t, c) && e.share >= 1 && e.found >= 5) {
        e.score = 1;
        e.counted = true;
    }
    return e;
}

static void add_reference(struct infer_design *d, struct infer_table *t, uint32_t column,
                          struct infer_table *to, const struct evidence *e)
{
    t->references =
        infer_push(d, t->references, t->nreferences, &t->capreferences, sizeof *t->references);
    if (!t->references)
        return;
    const struct infer_column *c = t->columns[column];
    struct infer_reference r = {.to = to, .n = 1};
    r.columns[0] = column;
    r.why = e->prefix ? "the same prefix" : e->named ? "the name" : "the values";
    r.doubtful = e->score < 3;
    for (uint32_t i = 0; i < c->nv; i++) {
        r.rows += c->v[i] != 0;
        r.orphans += c->v[i] && !table_has(to->columns[to->key[0]], c->v[i]);
    }
    t->references[t->nreferences++] = r;
}

/* A table whose own key the column is refers to another only if that is the elder. */
static bool may_refer(const struct infer_table *t, uint32_t column, const struct infer_table *u)
{
    bool own = t->nkey == 1 && t->key[0] == column;
    if (u == t)
        return !own;
    if (!own)
        return true;
    return t->nparts == 1 && u->nparts == 1 && t->minor && !u->minor;
}

static bool refers(const struct infer_table *t, uint32_t column)
{
    for (size_t i = 0; i < t->nreferences; i++) {
        if (t->references[i].n == 1 && t->references[i].columns[0] == column)
            return true;
    }
    return false;
}

static void find_for(struct infer_design *d, struct infer_table *t, uint32_t column,
                     bool strong)
{
    struct infer_column *c = t->columns[column];
    struct evidence best = {0};
    struct infer_table *to = NULL;
    uint32_t counted = 0;
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_table *u = d->entities[i]->table;
        if (u->nkey != 1 || d->entities[i]->mirror || u->nrows < 1 || !may_refer(t, column, u))
            continue;
        struct evidence e = weigh(d, t, c, u, u->columns[u->key[0]]);
        counted += e.counted;
        bool own = t->nkey == 1 && t->key[0] == column;
        if (own && !e.prefix && !e.named)
            continue;
        bool minor = to && u->minor && !to->minor && e.score <= best.score + 1;
        if (e.score > 0 && !minor &&
            (!to || (to->minor && !u->minor && e.score >= best.score - 1) ||
             e.score > best.score || (e.score == best.score && e.share > best.share))) {
            best = e;
            to = u;
        }
    }
    if (to && (best.score >= 3) == strong && !(best.counted && counted > 1))
        add_reference(d, t, column, to, &best);
}

/* The column of t that stands for column `theirs` of u: a part of the same prefix, or of one name. */
static uint32_t counterpart(const struct infer_table *t, const struct infer_column *theirs)
{
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct infer_column *c = t->columns[i];
        if (!scalar(c))
            continue;
        if (c->prefix.n && str_eq(c->prefix, theirs->prefix))
            return i;
        if (c->node && theirs->node && words_same(c->node->name, theirs->node->name))
            return i;
    }
    return UINT32_MAX;
}

/* A key of two columns, found again in another table under the same prefixes or names. */
static void find_pairs(struct infer_design *d, struct infer_table *t, struct infer_table *u)
{
    struct infer_reference r = {.to = u, .n = 2, .why = "the same names"};
    for (uint32_t i = 0; i < 2; i++) {
        r.columns[i] = counterpart(t, u->columns[u->key[i]]);
        if (r.columns[i] == UINT32_MAX)
            return;
    }
    if (r.columns[0] == r.columns[1])
        return;
    uint32_t found = 0;
    for (uint32_t i = 0; i < t->nrows && i < 5000; i++) {
        uint32_t a = t->columns[r.columns[0]]->v[i];
        uint32_t b = t->columns[r.columns[1]]->v[i];
        if (!a || !b)
            continue;
        r.rows++;
        for (uint32_t k = 0; k < u->nrows; k++) {
            if (u->columns[u->key[0]]->v[k] == a && u->columns[u->key[1]]->v[k] == b) {
                found++;
                break;
            }
        }
    }
    r.orphans = r.rows - found;
    if (r.rows < 2 || r.orphans * 20 > r.rows)
        return;
    t->references =
        infer_push(d, t->references, t->nreferences, &t->capreferences, sizeof *t->references);
    if (t->references)
        t->references[t->nreferences++] = r;
}

static void find_of_table(struct infer_design *d, struct infer_table *t, bool strong)
{
    for (uint32_t c = 0; c < t->ncolumns && !d->failed; c++) {
        if (scalar(t->columns[c]) && !refers(t, c))
            find_for(d, t, c, strong);
    }
    for (size_t i = 0; i < t->nchildren; i++)
        find_of_table(d, t->children[i], strong);
}

void references_find(struct infer_design *d, bool strong)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        find_of_table(d, t, strong);
        for (size_t k = 0; strong && k < d->nentities && !d->failed; k++) {
            struct infer_table *u = d->entities[k]->table;
            if (u != t && u->nkey == 2 && t->nparts > 2 && u->nrows <= 5000 &&
                !d->entities[k]->mirror)
                find_pairs(d, t, u);
        }
    }
}

/* The type that holds the values of both. */
static const char *wider(const char *a, const char *b)
{
    static const char *const WHOLE[] = {"integer", "bigint", "numeric"};
    int x = -1;
    int y = -1;
    if (strcmp(a, b) == 0)
        return a;
    for (int i = 0; i < 3; i++) {
        x = strcmp(a, WHOLE[i]) == 0 ? i : x;
        y = strcmp(b, WHOLE[i]) == 0 ? i : y;
    }
    return x >= 0 && y >= 0 ? WHOLE[x > y ? x : y] : "text";
}

static bool unify(struct infer_column *a, struct infer_column *b)
{
    if (!a->type || !b->type || strcmp(a->type, b->type) == 0)
        return false;
    const char *type = wider(a->type, b->type);
    a->type = b->type = type;
    a->unit = b->unit = NULL;
    return true;
}

static bool unify_table(struct infer_table *t)
{
    bool changed = false;
    for (size_t r = 0; r < t->nreferences; r++) {
        const struct infer_reference *ref = &t->references[r];
        for (uint32_t k = 0; k < ref->n; k++)
            changed |= unify(t->columns[ref->columns[k]], ref->to->columns[ref->to->key[k]]);
    }
    for (size_t i = 0; i < t->nchildren; i++)
        changed |= unify_table(t->children[i]);
    return changed;
}

void references_unify_types(struct infer_design *d)
{
    bool again = true;
    for (int round = 0; again && round < 20; round++) {
        again = false;
        for (size_t i = 0; i < d->nentities; i++)
            again |= unify_table(d->entities[i]->table);
    }
}
