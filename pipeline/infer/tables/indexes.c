/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/indexes.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/entities/tokens.h"
#include "pipeline/infer/tables/facts.h"
#include "pipeline/infer/tables/matching.h"
#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/tables/templates.h"
#include "pipeline/infer/words.h"

enum { LOOK_ROWS = 2000, ENTITIES_MAX = 200, COLUMNS_MAX = 200 };

/* One attribute, cut into tokens. */
struct look {
    struct infer_table *t;
    struct infer_column *c;
    struct infer_tokens *rows; /* by row; n == 0: not there */
    uint32_t n;                /* rows that have it */
    uint32_t least, most;      /* tokens */
    struct infer_position_facts {
        struct str text;
        bool constant, word;
        uint32_t *v;     /* by row */
        uint32_t column; /* that says the same */
    } at[INFER_TOKENS_MAX];
    struct str separator;
};

static bool is_index(const struct infer_design *d, struct str name)
{
    for (size_t i = 0; i < d->nkeylike; i++) {
        if (str_eq(d->keylike[i], name))
            return true;
    }
    return words_index_like(name);
}

/* Cuts the values of at most so many rows. */
static bool cut(struct infer_design *d, struct look *l, uint32_t rows)
{
    l->rows = infer_new(d, (size_t)l->t->nrows + 1, sizeof *l->rows);
    l->least = UINT32_MAX;
    for (size_t i = 0; l->rows && i < l->c->node->nseen && l->n < rows; i++) {
        const struct infer_seen *s = &l->c->node->seen[i];
        if (s->val->kind == VAL_NULL)
            continue;
        if (s->val->kind != VAL_S)
            return false;
        struct infer_tokens *t = &l->rows[s->row];
        tokens_cut(d, s->val->u.s, t);
        l->least = t->n < l->least ? t->n : l->least;
        l->most = t->n > l->most ? t->n : l->most;
        if (t->separator.n && l->separator.n && !str_eq(t->separator, l->separator))
            return false;
        l->separator = t->separator.n ? t->separator : l->separator;
        l->n++;
    }
    return l->n > 0 && l->rows;
}

static bool look_at_positions(struct infer_design *d, struct look *l)
{
    for (uint32_t p = 0; p < l->most; p++) {
        struct infer_position_facts *f = &l->at[p];
        f->constant = f->word = true;
        f->column = UINT32_MAX;
        f->v = infer_new(d, (size_t)l->t->nrows + 1, sizeof *f->v);
        bool first = true;
        for (uint32_t r = 0; f->v && r < l->t->nrows; r++) {
            if (l->rows[r].n <= p)
                continue;
            struct str s = l->rows[r].v[p].text;
            f->v[r] = infer_text(d, s);
            f->constant = f->constant && (first || str_eq(s, f->text));
            f->word = f->word && l->rows[r].v[p].class == TOKEN_WORD;
            f->text = first ? s : f->text;
            first = false;
        }
        if (!f->v)
            return false;
    }
    return true;
}

/* A constant of the template, not data that happens to be the same. */
static bool is_literal(const struct look *l, uint32_t p)
{
    const struct infer_position_facts *f = &l->at[p];
    return p < l->least && f->constant && f->column == UINT32_MAX && (f->word || l->n >= 8) &&
           (p + 1 < l->most || l->most == 1 || l->n > 2);
}

/* Finds the column that says what stands at a position. */
static uint32_t find_column(struct infer_design *d, const struct look *l, uint32_t p)
{
    const struct infer_table *t = l->t;
    uint32_t best = UINT32_MAX;
    int most = 0;
    struct str prefix = p > 0 && l->at[p - 1].constant ? l->at[p - 1].text : (struct str){0};
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct infer_column *c = t->columns[i];
        if (c == l->c || c->gone || c->listed || (c->node && c->node->parent != t->root))
            continue;
        struct infer_match m = matching_compare(d, l->at[p].v, c->v, t->nrows);
        bool named = (prefix.n && (words_same(prefix, c->prefix) ||
                                   words_same(prefix, words_stem(c->name)) ||
                                   words_same(prefix, c->name))) ||
                     is_index(d, l->c->node->name);
        if (m.only_a || !matching_sure(&m, named))
            continue;
        int score = 1 + (m.only_b == 0) + 2 * (prefix.n && words_same(prefix, c->prefix)) +
                    2 * (prefix.n && words_same(prefix, words_stem(c->name))) +
                    (c->origin == INFER_PART || c->part) -
                    3 * (c->node && is_index(d, c->node->name));
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

static void add_name(struct infer_design *d, struct str **v, size_t *n, size_t *cap,
                     struct str name)
{
    for (size_t i = 0; i < *n; i++) {
        if (str_eq((*v)[i], name))
            return;
    }
    *v = infer_push(d, *v, *n, cap, sizeof **v);
    if (*v)
        (*v)[(*n)++] = name;
}

/* The attribute repeats others: it is left out. */
static void leave_out(struct infer_design *d, struct look *l)
{
    l->c->gone = true;
    add_name(d, &d->indexing, &d->nindexing, &d->capindexing, l->c->node->name);
    add_name(d, &l->t->dropped, &l->t->ndropped, &l->t->capdropped, l->c->node->name);
}

static uint32_t new_column(struct infer_design *d, const struct look *l, uint32_t p,
                           struct str word)
{
    struct infer_table *t = l->t;
    struct str name = infer_printf(d, "%.*s\x03%u", STR_FMT(l->c->node->name), p);
    struct infer_column *c = table_add_column(d, t, name, INFER_PART);
    if (!c)
        return UINT32_MAX;
    c->prefix = word;
    c->of = l->c;
    memcpy(c->v, l->at[p].v, t->nrows * sizeof *c->v);
    facts_of_column(d, t, c);
    return (uint32_t)t->ncolumns - 1;
}

/* Template and columns of what stands nowhere else. */
static void add_template(struct infer_design *d, struct look *l)
{
    struct infer_table *t = l->t;
    struct infer_template tpl = {.attribute = l->c->node->name, .separator = l->separator};
    struct str word = {0};
    struct buf literal;
    buf_init(&literal, 1 << 16);
    tpl.v = infer_new(d, 2 * (size_t)l->most + 2, sizeof *tpl.v);
    for (uint32_t p = 0; tpl.v && p < l->most && !d->failed; p++) {
        if (p)
            buf_add_str(&literal, l->separator);
        if (is_literal(l, p)) {
            buf_add_str(&literal, l->at[p].text);
            struct str w = templates_word(l->at[p].text, l->separator);
            word = w.n ? w : word;
            continue;
        }
        if (literal.len) {
            tpl.v[tpl.n++] =
                (struct infer_piece){.literal = arena_dup(&d->arena, buf_view(&literal))};
            buf_clear(&literal);
        }
        uint32_t column =
            l->at[p].column != UINT32_MAX ? l->at[p].column : new_column(d, l, p, word);
        tpl.v[tpl.n++] = (struct infer_piece){.column = column, .optional = p >= l->least};
    }
    if (literal.len && tpl.v) {
        tpl.v[tpl.n++] =
            (struct infer_piece){.literal = arena_dup(&d->arena, buf_view(&literal))};
    }
    d->failed = d->failed || literal.rc;
    buf_release(&literal);
    t->templates =
        infer_push(d, t->templates, t->ntemplates, &t->captemplates, sizeof *t->templates);
    if (!t->templates)
        return;
    t->templates[t->ntemplates++] = tpl;
    l->c->gone = true;
    if (is_index(d, tpl.attribute))
        add_name(d, &d->indexing, &d->nindexing, &d->capindexing, tpl.attribute);
}

/* Counts constants, parts that columns say, and other parts. */
static void count(struct infer_design *d, struct look *l, uint32_t counts[3])
{
    for (uint32_t p = 0; p < l->most; p++) {
        if (!(l->at[p].constant && l->at[p].word))
            l->at[p].column = find_column(d, l, p);
        counts[is_literal(l, p) ? 0 : l->at[p].column != UINT32_MAX ? 1 : 2]++;
    }
}

static bool optional_tail(const struct look *l)
{
    for (uint32_t p = l->least; p < l->most; p++) {
        if (l->at[p].constant && l->n > 3)
            return false;
    }
    return l->most - l->least <= 3;
}

/* Does a constant of it stand in keys before a part? */
static bool known_word(const struct infer_design *d, const struct look *l)
{
    for (uint32_t p = 0; p < l->most; p++) {
        struct str word =
            is_literal(l, p) ? templates_word(l->at[p].text, l->separator) : (struct str){0};
        uint32_t number = word.n ? infer_text_known(d, word) : 0;
        if (number && d->nwords &&
            bsearch(&number, d->words, d->nwords, sizeof *d->words, infer_compare_numbers))
            return true;
    }
    return false;
}

static void look_at(struct infer_design *d, struct infer_table *t, struct infer_column *c)
{
    struct look l = {.t = t, .c = c};
    uint32_t counts[3] = {0, 0, 0};
    bool index = is_index(d, c->node->name);
    if (!cut(d, &l, UINT32_MAX) || (l.most < 2 && !index) || !look_at_positions(d, &l))
        return;
    count(d, &l, counts);
    bool lead = is_literal(&l, 0) && l.most > 1;
    if (counts[2] == 0 && (counts[1] > 0 || index) && (index || l.most > 1)) {
        leave_out(d, &l);
        return;
    }
    if (l.most < 2 || !optional_tail(&l))
        return;
    if (index || (lead && l.least == l.most && known_word(d, &l)))
        add_template(d, &l);
}

static bool candidate(const struct infer_table *t, const struct infer_column *c)
{
    return c->origin == INFER_ATTRIBUTE && !c->gone && !c->part && !c->listed &&
           c->node->parent == t->root && c->facts.kinds[VAL_S] &&
           c->facts.kinds[VAL_S] + c->facts.kinds[VAL_NULL] == c->node->nseen;
}

/* How an attribute looks in one entity: like a key; as if it said nothing of its own; or neither. */
enum look_kind { LOOK_OTHER, LOOK_NOTHING, LOOK_KEY };

static enum look_kind kind_in(struct infer_design *d, struct infer_table *t,
                              struct infer_column *c)
{
    struct look l = {.t = t, .c = c};
    uint32_t counts[3] = {0, 0, 0};
    if (!cut(d, &l, LOOK_ROWS) || !look_at_positions(d, &l))
        return LOOK_OTHER;
    count(d, &l, counts);
    if (l.most > 1 && is_literal(&l, 0) && known_word(d, &l))
        return LOOK_KEY;
    bool constant = l.most == 1 && l.at[0].constant && l.at[0].word && l.n > 1;
    return constant || (counts[2] == 0 && counts[1] > 0) ? LOOK_NOTHING : LOOK_OTHER;
}

static struct infer_column *column_of(const struct infer_table *t, struct str name)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        struct infer_column *c = t->columns[i];
        if (candidate(t, c) && str_eq(c->node->name, name))
            return c;
    }
    return NULL;
}

/* Looks at an attribute in all entities that come after the first that has it. */
static bool keylike(struct infer_design *d, size_t first, struct str name)
{
    uint32_t kinds[3] = {0, 0, 0};
    for (size_t i = first; i < d->nentities && !kinds[LOOK_OTHER] && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        struct infer_column *c = column_of(t, name);
        if (c)
            kinds[kind_in(d, t, c)]++;
    }
    return !kinds[LOOK_OTHER] && kinds[LOOK_KEY] && kinds[LOOK_KEY] + kinds[LOOK_NOTHING] > 1;
}

void indexes_names(struct infer_design *d)
{
    for (size_t i = 0; i < d->nentities && d->nentities <= ENTITIES_MAX && !d->failed; i++) {
        struct infer_table *t = d->entities[i]->table;
        for (size_t c = 0; c < t->ncolumns && t->ncolumns <= COLUMNS_MAX; c++) {
            bool before = false;
            for (size_t k = 0; k < i && candidate(t, t->columns[c]) && !before; k++)
                before = column_of(d->entities[k]->table, t->columns[c]->node->name) != NULL;
            if (!before && candidate(t, t->columns[c]) &&
                !is_index(d, t->columns[c]->node->name) &&
                keylike(d, i, t->columns[c]->node->name)) {
                add_name(d, &d->keylike, &d->nkeylike, &d->capkeylike,
                         t->columns[c]->node->name);
            }
        }
    }
}

void indexes_find(struct infer_design *d, struct infer_table *t)
{
    size_t n = t->ncolumns;
    for (size_t i = 0; i < n && !d->failed; i++) {
        struct infer_column *c = t->columns[i];
        if (candidate(t, c))
            look_at(d, t, c);
    }
}
