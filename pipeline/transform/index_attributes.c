/* SPDX-License-Identifier: MIT */
/* The rows of an item are searched as text: it does not matter in which column a piece is. */
#include "pipeline/transform/index_attributes.h"

#include <stdlib.h>

#include "pipeline/transform/left_out.h"

struct index_attributes {
    const struct plan *plan;
    struct index_entity *entities;
    struct arena arena;
    struct buf rows; /* of the current item, one after the other, in small letters */
    bool nomem;
};

struct index_attributes *index_attributes_new(const struct plan *plan)
{
    struct index_attributes *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->plan = plan;
    arena_init(&a->arena, 65536);
    buf_init(&a->rows, BUF_NO_LIMIT);
    a->entities = calloc(plan->model->nentities + 1, sizeof *a->entities);
    if (a->entities)
        return a;
    index_attributes_free(a);
    return NULL;
}

void index_attributes_free(struct index_attributes *a)
{
    if (!a)
        return;
    free(a->entities);
    buf_release(&a->rows);
    arena_release(&a->arena);
    free(a);
}

static bool is_own_key(const struct plan *plan, struct str name)
{
    for (uint32_t i = 0; i < plan->key.n; i++) {
        if (str_eq(name, plan->key.v[i]))
            return true;
    }
    return false;
}

static bool is_indexing(const struct plan *plan, struct str name)
{
    for (uint32_t i = 0; i < plan->indexing.n; i++) {
        if (str_glob(name, plan->indexing.v[i]))
            return true;
    }
    return is_own_key(plan, name);
}

static struct index_attribute *find(struct index_attributes *a, struct index_entity *e,
                                    const struct member *m)
{
    for (uint32_t i = 0; i < e->n; i++) {
        if (str_eq(e->v[i].name, m->name))
            return &e->v[i];
    }
    if (e->n == INDEX_ATTRIBUTES)
        return NULL;
    struct index_attribute *x = &e->v[e->n];
    x->name = arena_dup(&a->arena, m->name);
    x->first = arena_dup(&a->arena, m->val.u.s);
    x->own_key = is_own_key(a->plan, m->name);
    a->nomem |= !x->name.p || !x->first.p;
    e->n += !a->nomem;
    return a->nomem ? NULL : x;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Bytes of other alphabets count as letters. Whatever else is between words separates them. */
static bool in_word(char c)
{
    return is_digit(c) || (small(c) >= 'a' && small(c) <= 'z') || (unsigned char)c >= 128;
}

/* Returns the next word at or after *at, which moves behind it; empty: there is none. */
static struct str next_word(struct str s, size_t *at)
{
    size_t from = *at;
    while (from < s.n && !in_word(s.p[from]))
        from++;
    size_t end = from;
    while (end < s.n && in_word(s.p[end]))
        end++;
    *at = end;
    return str_make(s.p + from, end - from);
}

static bool has_word(struct str text, struct str word)
{
    struct str one;
    for (size_t at = 0; (one = next_word(text, &at)).n;) {
        if (str_eq(one, word))
            return true;
    }
    return false;
}

static bool is_same_small(const char *text, struct str word)
{
    for (size_t i = 0; i < word.n; i++) {
        if (text[i] != small(word.p[i]))
            return false;
    }
    return true;
}

/* Is the word somewhere in the rows, in whatever case? Those are in small letters. */
static bool in_rows(struct str rows, struct str word)
{
    char first = word.n ? small(word.p[0]) : '\0';
    for (size_t at = 0; at + word.n <= rows.n; at++) {
        const char *p = memchr(rows.p + at, first, rows.n - at);
        if (!p)
            return false;
        at = (size_t)(p - rows.p);
        size_t end = at + word.n;
        if (end <= rows.n && (at == 0 || !in_word(rows.p[at - 1])) &&
            (end == rows.n || !in_word(rows.p[end])) && is_same_small(p, word))
            return true;
    }
    return false;
}

static bool has_digit(struct str word)
{
    for (size_t i = 0; i < word.n; i++) {
        if (is_digit(word.p[i]))
            return true;
    }
    return false;
}

/* What the first item has, too, is taken for a prefix. Padded numbers, dates and the like are left
   to left_out, which knows the types of cells. */
static bool says_more(const struct index_attributes *a, const struct index_attribute *x,
                      const struct member *m, const struct left_out_rows *rows)
{
    struct str value = m->val.u.s, word;
    bool doubt = false;
    for (size_t at = 0; (word = next_word(value, &at)).n;) {
        if (has_word(x->first, word) || in_rows(buf_view(&a->rows), word))
            continue;
        if (!has_digit(word))
            return true;
        doubt = true;
    }
    return doubt && !left_out_is_said(&m->val, rows);
}

static void look_at_one(struct index_attributes *a, struct index_entity *e,
                        const struct member *m, const struct left_out_rows *rows)
{
    struct index_attribute *x = find(a, e, m);
    if (!x)
        return;
    x->count++;
    if (x->count == 1 || x->own_key || e->masks || !says_more(a, x, m, rows))
        return;
    x->alone++;
    if (!x->example.p)
        x->example = arena_dup(&a->arena, m->val.u.s);
    a->nomem |= !x->example.p;
}

static void compare(struct index_entity *e, const struct item *item)
{
    for (uint32_t i = 0; i < e->n; i++) {
        const struct val *v = item_get(item, e->v[i].name);
        for (uint32_t k = 0; v && k < e->n; k++) {
            const struct val *other = item_get(item, e->v[k].name);
            e->v[i].same[k] += other && other->kind == v->kind &&
                               (v->kind == VAL_S || v->kind == VAL_N) &&
                               str_eq(other->u.s, v->u.s);
        }
    }
}

static void make_small(struct buf *text)
{
    for (size_t i = 0; i < text->len; i++)
        text->p[i] = small(text->p[i]);
}

enum rc index_attributes_add(struct index_attributes *a, const struct transform_trace *t,
                             struct err *err)
{
    if (t->fate != ITEM_ROUTED)
        return RC_OK;
    struct left_out_rows rows = {&a->plan->schema, t->rows, t->nrows};
    struct index_entity *e = &a->entities[t->entity];
    e->masks = a->plan->shapes[t->entity]->masks;
    e->items++;
    e->untyped += a->plan->type.n && !item_get(&t->item, a->plan->type);
    buf_clear(&a->rows);
    for (size_t i = 0; i < t->nrows; i++)
        schema_row_json(&a->rows, &a->plan->schema.tables[t->rows[i].table], t->rows[i].cells);
    make_small(&a->rows);
    for (uint32_t i = 0; i < t->item.n; i++) {
        const struct member *m = &t->item.members[i];
        if (is_indexing(a->plan, m->name) && (m->val.kind == VAL_S || m->val.kind == VAL_N))
            look_at_one(a, e, m, &rows);
    }
    compare(e, &t->item);
    return a->nomem ? err_nomem(err) : buf_check(&a->rows, err);
}

const struct index_entity *index_attributes_of(const struct index_attributes *a,
                                               uint32_t entity)
{
    return &a->entities[entity];
}

bool index_attributes_equal(const struct index_entity *e, uint32_t i, uint32_t k)
{
    return e->v[i].count > 1 && e->v[i].same[k] == e->v[i].count &&
           e->v[k].count == e->v[i].count;
}
