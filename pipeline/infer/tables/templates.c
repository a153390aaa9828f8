/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/tables/templates.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/tables/table_tree.h"
#include "pipeline/infer/words.h"

enum { PIECES_MAX = 2 * INFER_TOKENS_MAX + 1 };

/* Pieces while they are put together. */
struct pieces {
    struct infer_piece v[PIECES_MAX];
    uint32_t n;
    struct buf literal;
};

static void end_literal(struct infer_design *d, struct pieces *p)
{
    if (!p->literal.len)
        return;
    struct str s = arena_dup(&d->arena, buf_view(&p->literal));
    d->failed = d->failed || !s.p;
    p->v[p->n++] = (struct infer_piece){.literal = s.p ? s : STR(""), .column = UINT32_MAX};
    buf_clear(&p->literal);
}

static void add_part(struct infer_design *d, struct pieces *p, bool optional)
{
    end_literal(d, p);
    p->v[p->n++] = (struct infer_piece){.column = UINT32_MAX, .optional = optional};
}

/* The positions as pieces; from position `least` on parts may be absent. */
static void make_template(struct infer_design *d, const struct infer_position *v, uint32_t n,
                          uint32_t least, struct infer_template *t)
{
    struct pieces p = {.n = 0};
    buf_init(&p.literal, (size_t)1 << 20);
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            buf_add_str(&p.literal, t->separator);
        if (v[i].literal.p) {
            buf_add_str(&p.literal, v[i].literal);
        } else {
            add_part(d, &p, i >= least);
        }
    }
    end_literal(d, &p);
    d->failed = d->failed || p.literal.rc;
    buf_release(&p.literal);
    t->v = infer_new(d, p.n + 1, sizeof *t->v);
    if (t->v)
        memcpy(t->v, p.v, p.n * sizeof *t->v);
    t->n = t->v ? p.n : 0;
    t->whole = p.n == 1 && !p.v[0].literal.p;
}

static uint32_t constants_end(const struct infer_shape *s, uint32_t k)
{
    uint32_t end = s->n[k];
    while (end > 0 && !s->v[k][end - 1].literal.p)
        end--;
    return end;
}

/* The same constants in the same places; behind the last only parts, or none in both. */
static bool same_constants(const struct infer_design *d, const struct infer_shape *a,
                           const struct infer_shape *b)
{
    for (uint32_t k = 0; k < d->nkey; k++) {
        uint32_t end = constants_end(a, k);
        if (end != constants_end(b, k) || (end < a->n[k]) != (end < b->n[k]))
            return false;
        for (uint32_t i = 0; i < end; i++) {
            struct str x = a->v[k][i].literal;
            struct str y = b->v[k][i].literal;
            if (!x.p != !y.p || (x.p && !str_eq(x, y)))
                return false;
        }
    }
    return true;
}

static struct str separator_of(const struct infer_design *d, const struct infer_shape *s,
                               uint32_t k)
{
    for (uint32_t i = 0; i < s->nitems; i++) {
        const struct infer_tokens *t = &d->tokens[k][s->items[i]];
        if (t->separator.n)
            return t->separator;
    }
    return STR("");
}

/* How many positions all shapes of the group have, and how many some have. */
static void range_of(const struct infer_shapes *s, const uint32_t *group, uint32_t of,
                     uint32_t k, uint32_t range[2])
{
    range[0] = UINT32_MAX;
    range[1] = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t n = s->v[i].n[k];
        if (group[i] != of)
            continue;
        range[0] = n < range[0] ? n : range[0];
        range[1] = n > range[1] ? n : range[1];
    }
}

static int compare_items(const void *a, const void *b)
{
    return infer_compare_numbers(a, b);
}

/* The rows of an entity are its items in order. */
static void fill_rows(struct infer_design *d, const struct infer_entity *e,
                      const struct infer_shapes *s, const uint32_t *group, uint32_t of,
                      struct infer_form *f)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += group[i] == of ? s->v[i].nitems : 0;
    f->rows = infer_new(d, n + 1, sizeof *f->rows);
    for (uint32_t i = 0; f->rows && i < s->n; i++) {
        for (uint32_t k = 0; group[i] == of && k < s->v[i].nitems; k++) {
            const uint32_t *at =
                bsearch(&s->v[i].items[k], e->items, e->n, sizeof *e->items, compare_items);
            if (at)
                f->rows[f->n++] = (uint32_t)(at - e->items);
        }
    }
    if (f->rows)
        qsort(f->rows, f->n, sizeof *f->rows, compare_items);
}

static void add_form(struct infer_design *d, struct infer_entity *e,
                     const struct infer_shapes *s, const uint32_t *group, uint32_t of)
{
    e->forms = infer_push(d, e->forms, e->nforms, &e->capforms, sizeof *e->forms);
    if (!e->forms)
        return;
    struct infer_form *f = &e->forms[e->nforms++];
    *f = (struct infer_form){0};
    for (uint32_t k = 0; k < d->nkey; k++) {
        uint32_t range[2];
        range_of(s, group, of, k, range);
        const struct infer_shape *longest = &s->v[of];
        for (uint32_t i = 0; i < s->n; i++)
            longest = group[i] == of && s->v[i].n[k] == range[1] ? &s->v[i] : longest;
        f->keys[k].attribute = d->key[k];
        f->keys[k].separator = separator_of(d, longest, k);
        if (longest->v[k][0].class == TOKEN_OTHER)
            continue; /* no string: a column of its own */
        uint32_t n = range[1] > range[0] + 2 ? range[0] : range[1];
        make_template(d, longest->v[k], n, range[0], &f->keys[k]);
    }
    fill_rows(d, e, s, group, of, f);
}

void templates_forms(struct infer_design *d, struct infer_entity *e,
                     const struct infer_shapes *shapes)
{
    uint32_t *group = infer_new(d, shapes->n + 1, sizeof *group);
    for (uint32_t i = 0; group && i < shapes->n; i++) {
        group[i] = i;
        for (uint32_t k = 0; k < i && k < 1000 && group[i] == i; k++) {
            if (group[k] == k && same_constants(d, &shapes->v[k], &shapes->v[i]))
                group[i] = k;
        }
    }
    for (uint32_t i = 0; group && i < shapes->n && !d->failed; i++) {
        if (group[i] == i)
            add_form(d, e, shapes, group, i);
    }
}

static bool match_piece(const struct infer_template *t, uint32_t i, struct str text, size_t *at,
                        struct str *part)
{
    size_t end = text.n;
    if (t->v[i].literal.p) {
        if (!str_starts(str_from(text, *at), t->v[i].literal))
            return false;
        *at += t->v[i].literal.n;
        return true;
    }
    if (i + 1 < t->n) {
        if (*at >= text.n)
            return false;
        end = str_find(text, t->v[i + 1].literal, *at + 1);
        if (end == text.n && !t->v[i].optional && !(i + 2 < t->n && t->v[i + 2].optional))
            return false;
    }
    *part = str_make(text.p + *at, end - *at);
    *at = end;
    return part->n > 0;
}

bool templates_match(const struct infer_template *t, struct str text,
                     struct str parts[INFER_TOKENS_MAX])
{
    size_t at = 0;
    uint32_t n = 0;
    memset(parts, 0, INFER_TOKENS_MAX * sizeof *parts);
    for (uint32_t i = 0; i < t->n; i++) {
        bool tail = i + 1 < t->n && t->v[i].literal.p && t->v[i + 1].optional;
        if ((tail || t->v[i].optional) && at == text.n)
            return true;
        if (!match_piece(t, i, text, &at, &parts[n]))
            return false;
        n += !t->v[i].literal.p;
    }
    return at == text.n;
}

/* The last word of a constant: what the part behind it is called after. */
struct str templates_word(struct str literal, struct str separator)
{
    while (separator.n && str_ends(literal, separator))
        literal.n -= separator.n;
    for (size_t at = 0; separator.n && (at = str_find(literal, separator, 0)) < literal.n;)
        literal = str_from(literal, at + separator.n);
    size_t end = literal.n;
    while (end > 0) {
        char c = literal.p[end - 1];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            (unsigned char)c >= 0x80)
            break;
        end--;
    }
    size_t from = end;
    while (from > 0) {
        char c = literal.p[from - 1];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-' || (unsigned char)c >= 0x80))
            break;
        from--;
    }
    return str_make(literal.p + from, end - from);
}

/* The column for a part behind a word: the nth of that word in this key. */
static uint32_t column_for(struct infer_design *d, struct infer_table *t, uint32_t k,
                           struct str word, uint32_t nth)
{
    struct str name = word.n ? infer_printf(d, "%.*s\x01%u", STR_FMT(word), nth)
                             : infer_printf(d, "%.*s\x02%u", STR_FMT(d->key[k]), nth);
    for (uint32_t c = 0; c < t->ncolumns; c++) {
        if (str_eq(t->columns[c]->name, name))
            return c;
    }
    struct infer_column *column = table_add_column(d, t, name, INFER_PART);
    if (!column)
        return UINT32_MAX;
    column->prefix = word;
    return (uint32_t)t->ncolumns - 1;
}

/* The same word may stand once in each key of a form: then its parts are two columns, unless equal. */
static void give_columns(struct infer_design *d, struct infer_table *t, struct infer_form *f)
{
    uint32_t nparts = 0;
    struct str before[2 * INFER_TOKENS_MAX];
    for (uint32_t k = 0; k < d->nkey; k++) {
        struct str word = {0};
        for (uint32_t i = 0; i < f->keys[k].n; i++) {
            struct infer_piece *p = &f->keys[k].v[i];
            if (p->literal.p) {
                struct str w = templates_word(p->literal, f->keys[k].separator);
                word = w.n ? w : word;
                continue;
            }
            uint32_t nth = 0;
            for (uint32_t b = 0; b < nparts; b++)
                nth += word.n ? str_eq(before[b], word) : !before[b].n;
            before[nparts++] = word;
            p->column = column_for(d, t, k, word, nth);
        }
    }
}

static void fill_parts(struct infer_design *d, struct infer_entity *e, struct infer_form *f)
{
    struct str parts[INFER_TOKENS_MAX];
    for (uint32_t r = 0; r < f->n && !d->failed; r++) {
        for (uint32_t k = 0; k < d->nkey; k++) {
            const struct val *v = item_get(&d->items[e->items[f->rows[r]]], d->key[k]);
            const struct infer_template *t = &f->keys[k];
            if (!t->n || !v || v->kind != VAL_S || !templates_match(t, v->u.s, parts))
                continue;
            uint32_t n = 0;
            for (uint32_t i = 0; i < t->n; i++) {
                if (t->v[i].literal.p)
                    continue;
                if (parts[n].p && t->v[i].column != UINT32_MAX)
                    e->table->columns[t->v[i].column]->v[f->rows[r]] = infer_text(d, parts[n]);
                n++;
            }
        }
    }
}

void templates_columns(struct infer_design *d, struct infer_entity *e)
{
    for (size_t i = 0; i < e->nforms && !d->failed; i++)
        give_columns(d, e->table, &e->forms[i]);
    for (size_t i = 0; i < e->nforms && !d->failed; i++)
        fill_parts(d, e, &e->forms[i]);
}

static void print_literal(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '{' || s.p[i] == '}')
            buf_putc(out, s.p[i]);
        buf_putc(out, s.p[i]);
    }
}

void templates_print(const struct infer_template *t, const struct infer_table *table,
                     struct buf *out)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct infer_piece *p = &t->v[i];
        if (p->literal.p) {
            print_literal(p->literal, out);
            continue;
        }
        const struct infer_column *c = table->columns[p->column];
        buf_addf(out, "{%.*s", STR_FMT(c->name));
        if (p->type)
            buf_addf(out, ":%s", p->type);
        if (p->type && p->pad)
            buf_addf(out, ":%u", p->pad);
        buf_puts(out, p->optional ? "?}" : "}");
    }
}
