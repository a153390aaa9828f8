/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/table_tree.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FEW_KIDS = 12, DEPTH_MAX = 32 };

struct infer_table *table_new(struct infer_design *d, uint32_t nrows)
{
    struct infer_table *t = infer_new(d, 1, sizeof *t);
    if (!t)
        return NULL;
    t->nrows = nrows;
    t->root = infer_new(d, 1, sizeof *t->root);
    return t->root ? t : NULL;
}

struct infer_column *table_add_column(struct infer_design *d, struct infer_table *t,
                                      struct str name, enum infer_origin origin)
{
    struct infer_column *c = infer_new(d, 1, sizeof *c);
    t->columns = infer_push(d, t->columns, t->ncolumns, &t->capcolumns, sizeof(void *));
    if (!c || !t->columns)
        return NULL;
    c->name = name;
    c->origin = origin;
    c->v = infer_new(d, (size_t)t->nrows + 1, sizeof *c->v);
    if (!c->v)
        return NULL;
    c->nv = t->nrows;
    t->columns[t->ncolumns++] = c;
    return c;
}

static size_t kid_slot(const struct infer_node *node, struct str name)
{
    size_t mask = node->nslots - 1;
    size_t at = (size_t)XXH3_64bits(name.n ? name.p : "", name.n) & mask;
    while (node->slots[at] && !str_eq(node->kids[node->slots[at] - 1]->name, name))
        at = (at + 1) & mask;
    return at;
}

struct infer_node *table_kid(const struct infer_node *node, struct str name)
{
    if (node->slots) {
        uint32_t at = node->slots[kid_slot(node, name)];
        return at ? node->kids[at - 1] : NULL;
    }
    for (size_t i = 0; i < node->nkids; i++) {
        if (str_eq(node->kids[i]->name, name))
            return node->kids[i];
    }
    return NULL;
}

static void index_kids(struct infer_design *d, struct infer_node *node)
{
    if (node->nkids < FEW_KIDS)
        return;
    if (node->nkids * 2 < node->nslots) {
        node->slots[kid_slot(node, node->kids[node->nkids - 1]->name)] = (uint32_t)node->nkids;
        return;
    }
    node->nslots = node->nslots ? node->nslots * 2 : (size_t)FEW_KIDS * 6;
    while (node->nslots & (node->nslots - 1))
        node->nslots &= node->nslots - 1;
    node->slots = infer_new(d, node->nslots, sizeof *node->slots);
    for (size_t i = 0; node->slots && i < node->nkids; i++)
        node->slots[kid_slot(node, node->kids[i]->name)] = (uint32_t)i + 1;
}

static struct infer_node *kid_for(struct infer_design *d, struct infer_node *node,
                                  struct str name)
{
    struct infer_node *kid = table_kid(node, name);
    if (kid)
        return kid;
    kid = infer_new(d, 1, sizeof *kid);
    node->kids = infer_push(d, node->kids, node->nkids, &node->capkids, sizeof(void *));
    if (!kid || !node->kids)
        return NULL;
    kid->name = name;
    kid->parent = node;
    node->kids[node->nkids++] = kid;
    index_kids(d, node);
    return kid;
}

static void add_below(struct infer_design *d, struct infer_node *node, uint32_t row,
                      struct str name, const struct val *v, int depth)
{
    struct infer_node *kid = d->failed ? NULL : kid_for(d, node, name);
    if (!kid)
        return;
    kid->seen = infer_push(d, kid->seen, kid->nseen, &kid->capseen, sizeof *kid->seen);
    if (!kid->seen)
        return;
    kid->seen[kid->nseen++] = (struct infer_seen){row, v};
    kid->kinds[v->kind]++;
    for (uint32_t i = 0; v->kind == VAL_M && depth < DEPTH_MAX && i < v->n; i++)
        add_below(d, kid, row, v->u.members[i].name, &v->u.members[i].val, depth + 1);
}

void table_add_members(struct infer_design *d, struct infer_node *node, uint32_t row,
                       const struct member *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add_below(d, node, row, v[i].name, &v[i].val, 0);
}

void table_add_value(struct infer_design *d, struct infer_node *node, uint32_t row,
                     struct str name, const struct val *v)
{
    add_below(d, node, row, name, v, 0);
}

uint32_t table_filled(const struct infer_node *node)
{
    return (uint32_t)node->nseen - node->kinds[VAL_NULL];
}

/* All forms have a template for it. */
static bool templated(const struct infer_design *d, const struct infer_entity *e,
                      struct str name)
{
    for (uint32_t k = 0; k < d->nkey; k++) {
        if (!str_eq(d->key[k], name))
            continue;
        for (size_t f = 0; f < e->nforms; f++) {
            if (!e->forms[f].keys[k].n)
                return false;
        }
        return e->nforms > 0;
    }
    return false;
}

void table_of_entity(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = table_new(d, e->n);
    e->table = t;
    if (!t)
        return;
    t->entity = e;
    for (uint32_t i = 0; i < e->n && !d->failed; i++) {
        const struct item *item = &d->items[e->items[i]];
        for (uint32_t m = 0; m < item->n; m++) {
            const struct member *member = &item->members[m];
            if (!templated(d, e, member->name) && !(d->type.n && str_eq(member->name, d->type)))
                table_add_value(d, t->root, i, member->name, &member->val);
        }
    }
}

void table_set(struct infer_design *d, struct infer_column *c)
{
    if (c->set)
        return;
    uint32_t n = 0;
    c->set = infer_new(d, (size_t)c->nv + 1, sizeof *c->set);
    if (!c->set)
        return;
    for (uint32_t i = 0; i < c->nv; i++) {
        if (c->v[i])
            c->set[n++] = c->v[i];
    }
    qsort(c->set, n, sizeof *c->set, infer_compare_numbers);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || c->set[i] != c->set[i - 1])
            c->set[c->nset++] = c->set[i];
    }
}

bool table_has(const struct infer_column *c, uint32_t number)
{
    return bsearch(&number, c->set, c->nset, sizeof *c->set, infer_compare_numbers) != NULL;
}

bool table_row_hash(const struct infer_table *t, const uint32_t *columns, uint32_t n,
                    uint32_t row, uint64_t *hash)
{
    uint32_t v[8];
    for (uint32_t i = 0; i < n && i < 8; i++) {
        v[i] = t->columns[columns[i]]->v[row];
        if (!v[i])
            return false;
    }
    *hash = n == 2 ? (uint64_t)v[0] << 32 | v[1] : XXH3_64bits(v, n * sizeof *v);
    return true;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool table_unique(struct infer_design *d, const struct infer_table *t, const uint32_t *columns,
                  uint32_t n)
{
    uint64_t *v = malloc(((size_t)t->nrows + 1) * sizeof *v);
    bool good = v && n > 0;
    d->failed = d->failed || !v;
    for (uint32_t i = 0; good && i < t->nrows; i++)
        good = table_row_hash(t, columns, n, i, &v[i]);
    if (good)
        qsort(v, t->nrows, sizeof *v, compare_hashes);
    for (uint32_t i = 1; good && i < t->nrows; i++)
        good = v[i] != v[i - 1];
    free(v);
    return good;
}
