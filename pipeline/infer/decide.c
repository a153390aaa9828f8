/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/decide.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/entities.h"
#include "pipeline/infer/entities/likeness.h"
#include "pipeline/infer/entities/routes.h"
#include "pipeline/infer/entities/table_key.h"
#include "pipeline/infer/entities/tokens.h"
#include "pipeline/infer/relations/extracts.h"
#include "pipeline/infer/relations/key_choice.h"
#include "pipeline/infer/relations/mirrors.h"
#include "pipeline/infer/relations/naming.h"
#include "pipeline/infer/relations/references.h"
#include "pipeline/infer/tables/facts.h"
#include "pipeline/infer/tables/indexes.h"
#include "pipeline/infer/tables/matching.h"
#include "pipeline/infer/tables/structure.h"
#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/tables/templates.h"

enum { NOT_NULL_ROWS = 20 };

void infer_init(struct infer_design *d)
{
    *d = (struct infer_design){0};
    arena_init(&d->arena, (size_t)1 << 16);
}

void infer_release(struct infer_design *d)
{
    arena_release(&d->arena);
}

static void add_words(struct infer_design *d, const struct infer_template *t, size_t *n,
                      size_t *cap)
{
    for (uint32_t p = 0; p + 1 < t->n && !d->failed; p++) {
        struct str word =
            t->v[p].literal.p ? templates_word(t->v[p].literal, t->separator) : STR("");
        if (!word.n)
            continue;
        d->words = infer_push(d, d->words, *n, cap, sizeof *d->words);
        if (d->words)
            d->words[(*n)++] = infer_text(d, word);
    }
}

/* The constants of keys that a part stands behind: what references may carry. */
static void find_words(struct infer_design *d)
{
    size_t cap = 0;
    size_t n = 0;
    for (size_t i = 0; i < d->nentities; i++) {
        for (size_t f = 0; f < d->entities[i]->nforms; f++) {
            for (uint32_t k = 0; k < d->nkey; k++)
                add_words(d, &d->entities[i]->forms[f].keys[k], &n, &cap);
        }
    }
    d->nwords = d->failed ? 0 : (uint32_t)n;
    if (d->nwords)
        qsort(d->words, d->nwords, sizeof *d->words, infer_compare_numbers);
}

/* A table without a key can have no children: they stay documents. */
static void keep_documents(struct infer_design *d, struct infer_entity *e)
{
    struct infer_table *t = e->table;
    if (t->nkey && !e->mirror && !e->mirrored)
        return;
    for (size_t i = 0; i < t->nchildren; i++) {
        struct infer_node *node = t->children[i]->node;
        struct infer_column *c = table_add_column(
            d, t, structure_free_name(d, t, infer_snake(d, node->name), node), INFER_ATTRIBUTE);
        if (!c)
            return;
        c->node = node;
        c->pinned = "jsonb";
        c->renamed = true;
        facts_of_column(d, t, c);
    }
    t->nchildren = 0;
}

static void settle_column(struct infer_design *d, const struct infer_table *t,
                          struct infer_column *c)
{
    if (c->gone)
        return;
    if (c->origin != INFER_ORDINAL && c->origin != INFER_KEY)
        facts_decide(d, c);
    c->not_null = c->origin == INFER_ATTRIBUTE || c->origin == INFER_PART;
    c->not_null = c->not_null && !c->nullable && t->nrows >= NOT_NULL_ROWS &&
                  c->facts.filled - (c->null_if_given ? c->facts.nulls : 0) == t->nrows;
}

static void settle_table(struct infer_design *d, struct infer_table *t)
{
    for (size_t i = 0; i < t->ncolumns; i++)
        settle_column(d, t, t->columns[i]);
    for (size_t i = 0; i < t->nchildren; i++)
        settle_table(d, t->children[i]);
}

void infer_settle(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        settle_table(d, d->entities[i]->table);
    references_unify_types(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        routes_unify_mirror(d, d->entities[i]);
}

static void make_table(struct infer_design *d, struct infer_entity *e)
{
    table_of_entity(d, e);
    if (d->failed)
        return;
    templates_columns(d, e);
    for (size_t c = 0; c < e->table->ncolumns; c++)
        facts_of_column(d, e->table, e->table->columns[c]);
    structure_columns(d, e->table);
    if (!d->failed)
        matching_parts(d, e);
}

void decide_last(struct infer_design *d, struct infer_entity *e)
{
    make_table(d, e);
    if (d->failed)
        return;
    key_choice_parts(d, e);
    e->table->word = e->name;
    e->table->name = naming_free_table(d, e, e->name);
    settle_table(d, e->table);
    e->table->nparts = 0;
    for (size_t i = 0; i < d->nkey; i++)
        key_choice_attribute(d, e->table, d->key[i]);
    naming_children(d, e->table);
    keep_documents(d, e);
}

enum rc infer_decide(struct infer_design *d, struct err *err)
{
    table_key_find(d);
    tokens_find_separators(d);
    tokens_cut_keys(d);
    likeness_attributes(d);
    if (!d->failed)
        entities_find(d);
    if (!d->failed)
        mirrors_find(d);
    find_words(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        make_table(d, d->entities[i]);
    if (!d->failed)
        indexes_names(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++) {
        indexes_find(d, d->entities[i]->table);
        key_choice_parts(d, d->entities[i]);
    }
    if (!d->failed)
        naming_tables(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        settle_table(d, d->entities[i]->table);
    if (!d->failed)
        key_choice_make(d);
    if (!d->failed) {
        mirrors_prefixes(d);
        references_find(d, true);
    }
    if (!d->failed)
        extracts_find(d);
    if (!d->failed)
        references_find(d, false);
    if (!d->failed)
        mirrors_symmetric(d);
    for (size_t i = 0; i < d->nentities && !d->failed; i++)
        keep_documents(d, d->entities[i]);
    if (!d->failed)
        naming_parts(d);
    if (!d->failed)
        infer_settle(d);
    if (!d->failed)
        routes_order(d);
    return d->failed ? err_nomem(err) : RC_OK;
}
