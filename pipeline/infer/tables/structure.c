/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/structure.h"

#include <string.h>

#include "pipeline/infer/entities/tokens.h"
#include "pipeline/infer/tables/facts.h"
#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/model/model.h"

enum { COLUMNS_MAX = 800, DEPTH_MAX = 12, CHILDREN_DEPTH = 3, NAME_MAX_BYTES = 60 };

/* PostgreSQL keeps some names. The type attribute and the keys would fill a column of their name, too. */
static bool reserved(struct infer_design *d, const struct infer_table *t, struct str name,
                     const struct infer_node *node)
{
    static const char *const SYSTEM[] = {"ctid", "xmin",     "xmax", "cmin",
                                         "cmax", "tableoid", NULL};
    for (const char *const *s = SYSTEM; *s; s++) {
        if (str_is(name, *s))
            return true;
    }
    struct str v[INFER_KEYS_MAX + 1] = {d->type, d->key[0], d->key[1]};
    for (int i = 0; i <= INFER_KEYS_MAX && !t->parent; i++) {
        if (v[i].n && !(node && str_eq(node->name, v[i])) &&
            (str_eq(v[i], name) || str_eq(infer_snake(d, v[i]), name)))
            return true;
    }
    return false;
}

struct str structure_free_name(struct infer_design *d, const struct infer_table *t,
                               struct str name, const struct infer_node *node)
{
    struct str cut = str_make(name.p, name.n > NAME_MAX_BYTES ? NAME_MAX_BYTES : name.n);
    while (cut.n && cut.n < name.n && ((unsigned char)cut.p[cut.n - 1] & 0xC0) == 0x80)
        cut.n--;
    struct str free_name = cut;
    for (unsigned i = 2;; i++) {
        bool taken =
            str_is(free_name, "extra") || free_name.n == 0 || reserved(d, t, free_name, node);
        for (size_t c = 0; c < t->ncolumns && !taken; c++)
            taken = !t->columns[c]->gone && str_eq(t->columns[c]->name, free_name);
        if (!taken || d->failed)
            return free_name;
        free_name = infer_printf(d, "%.*s_%u", STR_FMT(cut), i);
    }
}

static struct str path_name(struct infer_design *d, const struct infer_node *node)
{
    struct str members[DEPTH_MAX + 4];
    uint32_t n = 0;
    for (const struct infer_node *at = node; at->parent && n < DEPTH_MAX + 4; at = at->parent)
        n++;
    uint32_t i = n;
    for (const struct infer_node *at = node; at->parent && i > 0; at = at->parent)
        members[--i] = at->name;
    struct path path = {members, n};
    struct str s = name_snake(&d->arena, &path);
    d->failed = d->failed || !s.p;
    return s.p && s.n ? s : STR("value");
}

static void add_column(struct infer_design *d, struct infer_table *t, struct infer_node *node,
                       bool listed)
{
    if (t->ncolumns >= COLUMNS_MAX) {
        t->left_out = true;
        return;
    }
    struct str name = structure_free_name(d, t, path_name(d, node), node);
    struct infer_column *c = table_add_column(d, t, name, INFER_ATTRIBUTE);
    if (!c)
        return;
    c->node = node;
    c->listed = listed;
    facts_of_column(d, t, c);
}

static uint32_t scalars(const struct infer_node *n)
{
    return n->kinds[VAL_S] + n->kinds[VAL_N] + n->kinds[VAL_B] + n->kinds[VAL_BOOL];
}

static bool only(const struct infer_node *n, enum val_kind kind)
{
    return n->kinds[kind] > 0 && table_filled(n) == n->kinds[kind];
}

/* A name that somebody made up for one thing: with digits in it. */
static bool id_like(struct str name)
{
    enum infer_token_class class = tokens_class(name);
    return class != TOKEN_WORD && name.n > 1;
}

/* How many of the kids are of one kind only, all of the same. */
static bool kids_alike(const struct infer_node *node)
{
    uint32_t maps = 0;
    uint32_t plain = 0;
    uint32_t numbers = 0;
    for (size_t i = 0; i < node->nkids; i++) {
        const struct infer_node *kid = node->kids[i];
        maps += kid->kinds[VAL_M] == kid->nseen;
        numbers += kid->kinds[VAL_N] + kid->kinds[VAL_NULL] == kid->nseen;
        plain += kid->kinds[VAL_S] + kid->kinds[VAL_NULL] == kid->nseen;
    }
    return maps == node->nkids || numbers == node->nkids || plain == node->nkids;
}

/* The members that most of the maps below have. */
static bool maps_share_members(const struct infer_node *node)
{
    if (!node->nkids || node->kids[0]->kinds[VAL_M] == 0)
        return true;
    const struct infer_node *first = node->kids[0];
    for (size_t i = 0; i < node->nkids; i++)
        first = node->kids[i]->nseen > first->nseen ? node->kids[i] : first;
    uint32_t shared = 0;
    uint32_t looked = 0;
    for (size_t i = 0; i < node->nkids && looked < 50; i++) {
        const struct infer_node *kid = node->kids[i];
        if (kid == first)
            continue;
        looked++;
        bool some = false;
        for (size_t k = 0; k < kid->nkids && !some; k++)
            some = table_kid(first, kid->kids[k]->name) != NULL;
        shared += some;
    }
    return shared * 2 >= looked;
}

/* Names that are data: few maps have the same, and all values are alike. */
static bool is_dictionary(const struct infer_node *node)
{
    uint32_t maps = node->kinds[VAL_M];
    uint64_t members = 0;
    uint32_t ids = 0;
    for (size_t i = 0; i < node->nkids; i++) {
        members += node->kids[i]->nseen;
        ids += id_like(node->kids[i]->name);
    }
    if (node->nkids < 3 || !kids_alike(node) || !maps_share_members(node))
        return false;
    double presence = maps ? (double)members / (double)(node->nkids * (uint64_t)maps) : 1;
    if (ids == node->nkids && presence < 0.9)
        return true;
    return presence < 0.5 && node->nkids >= 5;
}

static void add_child(struct infer_design *d, struct infer_table *t, struct infer_node *node,
                      enum infer_child explode);

static void add_node(struct infer_design *d, struct infer_table *t, struct infer_node *node,
                     int depth)
{
    if (only(node, VAL_M) && node->nkids > 0 && depth < DEPTH_MAX) {
        if (is_dictionary(node)) {
            add_child(d, t, node, CHILD_MAP);
            return;
        }
        for (size_t i = 0; i < node->nkids; i++)
            add_node(d, t, node->kids[i], depth + 1);
        return;
    }
    bool sets = node->kinds[VAL_SS] || node->kinds[VAL_NS] || node->kinds[VAL_BS];
    bool lists = node->kinds[VAL_L] > 0;
    if ((sets || lists) && scalars(node) == 0 && node->kinds[VAL_M] == 0) {
        if (facts_list_type(node)) {
            add_column(d, t, node, true);
            return;
        }
        bool maps = !sets;
        for (size_t i = 0; i < node->nseen && maps; i++) {
            const struct val *v = node->seen[i].val;
            for (uint32_t k = 0; v->kind == VAL_L && k < v->n && maps; k++)
                maps = v->u.list[k].kind == VAL_M;
        }
        if (maps) {
            add_child(d, t, node, CHILD_LIST);
            return;
        }
    }
    add_column(d, t, node, false);
}

static uint32_t count_elements(const struct infer_node *node)
{
    uint64_t n = 0;
    for (size_t i = 0; i < node->nseen; i++) {
        const struct val *v = node->seen[i].val;
        n += v->kind == VAL_L || v->kind == VAL_M ? v->n : 0;
    }
    return n > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)n;
}

/* The member of a map that is no map itself stands under this name. */
static void add_element(struct infer_design *d, struct infer_table *child, uint32_t row,
                        const struct val *v)
{
    if (v->kind == VAL_M) {
        table_add_members(d, child->root, row, v->u.members, v->n);
    } else {
        table_add_value(d, child->root, row, STR("value"), v);
    }
}

static void fill_child(struct infer_design *d, struct infer_table *child,
                       const struct infer_node *node, struct infer_column *own)
{
    uint32_t row = 0;
    for (size_t i = 0; i < node->nseen && !d->failed; i++) {
        const struct val *v = node->seen[i].val;
        uint32_t n = v->kind == VAL_L || v->kind == VAL_M ? v->n : 0;
        for (uint32_t k = 0; k < n && row < child->nrows; k++, row++) {
            child->parent_row[row] = node->seen[i].row;
            if (v->kind == VAL_L) {
                own->v[row] = infer_text(d, infer_printf(d, "%u", k));
                add_element(d, child, row, &v->u.list[k]);
            } else {
                own->v[row] = infer_text(d, v->u.members[k].name);
                add_element(d, child, row, &v->u.members[k].val);
            }
        }
    }
}

static void add_child(struct infer_design *d, struct infer_table *t, struct infer_node *node,
                      enum infer_child explode)
{
    int above = 0;
    for (const struct infer_table *up = t; up->parent; up = up->parent)
        above++;
    if (above >= CHILDREN_DEPTH) {
        add_column(d, t, node, false);
        return;
    }
    struct infer_table *child = table_new(d, count_elements(node));
    t->children = infer_push(d, t->children, t->nchildren, &t->capchildren, sizeof(void *));
    if (!child || !t->children)
        return;
    child->parent = t;
    child->node = node;
    child->explode = explode;
    child->entity = t->entity;
    child->parent_row = infer_new(d, (size_t)child->nrows + 1, sizeof *child->parent_row);
    struct infer_column *own =
        table_add_column(d, child, explode == CHILD_LIST ? STR("ordinal") : STR("key"),
                         explode == CHILD_LIST ? INFER_ORDINAL : INFER_KEY);
    if (!own || !child->parent_row)
        return;
    own->type = explode == CHILD_LIST ? "integer" : "text";
    fill_child(d, child, node, own);
    facts_of_column(d, child, own);
    structure_columns(d, child);
    t->children[t->nchildren++] = child;
}

void structure_columns(struct infer_design *d, struct infer_table *t)
{
    for (size_t i = 0; i < t->root->nkids && !d->failed; i++)
        add_node(d, t, t->root->kids[i], 1);
}
