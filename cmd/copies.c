/* SPDX-License-Identifier: MIT */
/*
 * Most keys stand once, and a table may have more rows than memory has room: a first reading of
 * the notes marks bits, a second one takes only keys whose bit was marked twice. What lost is
 * known by its line: of rows that are equal it does not matter which one goes.
 */
#include "cmd/copies.h"

#include <stdlib.h>

#include "cmd/trail.h"

enum { BITS = 1 << 27 };

struct note {
    uint64_t hash, place, top, line;
    uint32_t table, number; /* number: order within a place */
};

struct notes {
    struct note *v;
    size_t n, cap;
};

struct finder {
    const struct schema *schema;
    unsigned char *once, *twice;
    struct notes suspects; /* rows whose key may stand twice */
    struct notes gone;     /* rows of entities that lost */
    struct notes lost;     /* all rows that lost */
    bool last, nomem;
};

struct copies {
    struct side base;
    struct side *inner;
    struct notes lost; /* sorted by table and line */
    bool *used;
    uint32_t table;
};

static void push(struct finder *f, struct notes *to, const struct note *note)
{
    if (to->n == to->cap) {
        size_t cap = to->cap ? 2 * to->cap : 256;
        struct note *v = realloc(to->v, cap * sizeof *v);
        if (!v) {
            f->nomem = true;
            return;
        }
        to->v = v;
        to->cap = cap;
    }
    to->v[to->n++] = *note;
}

/* Tables that copies are extracted into have their own way to choose. */
static bool chosen_from(const struct schema *s, const struct trail_note *note)
{
    const struct table *t = &s->tables[note->table];
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == note->table)
            return false;
    }
    return !note->candidate && t->nkey > 0 && t->kind != TABLE_CONFLICT;
}

static size_t bit_of(const struct trail_note *note)
{
    return (size_t)(note->hash ^ note->table * UINT64_C(0x9E3779B97F4A7C15)) & (BITS - 1);
}

static void mark(void *ctx, const struct trail_note *note)
{
    struct finder *f = ctx;
    if (!chosen_from(f->schema, note))
        return;
    size_t bit = bit_of(note);
    unsigned char mask = (unsigned char)(1U << (bit & 7));
    f->twice[bit >> 3] |= f->once[bit >> 3] & mask;
    f->once[bit >> 3] |= mask;
}

static struct note note_of(const struct trail_note *note, uint32_t number)
{
    return (struct note){note->hash, note->place, note->top, note->line, note->table, number};
}

static void suspect(void *ctx, const struct trail_note *note)
{
    struct finder *f = ctx;
    size_t bit = bit_of(note);
    if (!chosen_from(f->schema, note) || !(f->twice[bit >> 3] & 1U << (bit & 7)))
        return;
    struct note own = note_of(note, (uint32_t)f->suspects.n);
    push(f, &f->suspects, &own);
}

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_place(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    int c = order(x->table, y->table);
    c = c ? c : order(x->hash, y->hash);
    return c ? c : order(x->place, y->place);
}

static int by_key(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    int c = by_place(a, b);
    return c ? c : order(x->number, y->number);
}

static int by_line(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    int c = order(x->table, y->table);
    return c ? c : order(x->line, y->line);
}

static bool came_with_loser(const struct finder *f, uint32_t table, uint64_t top,
                            uint64_t place)
{
    struct note like = {.table = trail_top(f->schema, table), .hash = top, .place = place};
    return f->gone.n && like.table != table &&
           bsearch(&like, f->gone.v, f->gone.n, sizeof like, by_place);
}

static void lose_children(void *ctx, const struct trail_note *note)
{
    struct finder *f = ctx;
    if (note->candidate || !came_with_loser(f, note->table, note->top, note->place))
        return;
    struct note own = note_of(note, 0);
    push(f, &f->lost, &own);
}

static void lose(struct finder *f, const struct note *note)
{
    push(f, &f->lost, note);
    if (f->schema->tables[note->table].kind != TABLE_CHILD)
        push(f, &f->gone, note);
}

/* All but one of n rows with one key, which are sorted by place. */
static void choose_one(struct finder *f, const struct note *v, size_t n)
{
    const struct note *kept = NULL;
    for (size_t i = 0; i < n; i++) {
        if (came_with_loser(f, v[i].table, v[i].top, v[i].place))
            continue;
        if (kept)
            lose(f, f->last ? kept : &v[i]);
        kept = kept && !f->last ? kept : &v[i];
    }
}

/* Of entities, or of children; suspects are sorted by key. */
static void choose(struct finder *f, bool children)
{
    const struct notes *s = &f->suspects;
    for (size_t i = 0, n; i < s->n; i += n) {
        const struct note *v = &s->v[i];
        for (n = 1; i + n < s->n && v[n].table == v->table && v[n].hash == v->hash; n++)
            continue;
        if ((f->schema->tables[v->table].kind == TABLE_CHILD) == children)
            choose_one(f, v, n);
    }
}

static enum rc find_lost(struct finder *f, const char *trail, struct err *err)
{
    f->once = calloc(1, BITS / 8);
    f->twice = calloc(1, BITS / 8);
    enum rc rc = f->once && f->twice ? trail_each(trail, mark, f, err) : err_nomem(err);
    if (rc == RC_OK)
        rc = trail_each(trail, suspect, f, err);
    free(f->once);
    free(f->twice);
    if (rc == RC_OK && f->suspects.n) {
        qsort(f->suspects.v, f->suspects.n, sizeof *f->suspects.v, by_key);
        choose(f, false);
        if (f->gone.n)
            qsort(f->gone.v, f->gone.n, sizeof *f->gone.v, by_place);
        choose(f, true);
        rc = f->gone.n ? trail_each(trail, lose_children, f, err) : RC_OK;
    }
    return rc == RC_OK && f->nomem ? err_nomem(err) : rc;
}

/* ---- the side ------------------------------------------------------------------------------ */

static enum rc start(struct side *s, uint32_t index, struct err *err)
{
    struct copies *c = (struct copies *)s;
    c->table = index;
    memset(c->used, 0, c->lost.n * sizeof *c->used);
    return c->inner->ops->start(c->inner, index, err);
}

static bool has_lost(struct copies *c, struct str line)
{
    struct note like = {.table = c->table, .line = trail_hash(line)};
    size_t low = 0, high = c->lost.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (by_line(&c->lost.v[mid], &like) < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    for (; low < c->lost.n && by_line(&c->lost.v[low], &like) == 0; low++) {
        if (!c->used[low]) {
            c->used[low] = true;
            return true;
        }
    }
    return false;
}

static enum rc next(struct side *s, struct str *line, struct err *err)
{
    struct copies *c = (struct copies *)s;
    enum rc rc = c->inner->ops->next(c->inner, line, err);
    while (rc == RC_OK && has_lost(c, *line))
        rc = c->inner->ops->next(c->inner, line, err);
    return rc;
}

static enum rc left(struct side *s, struct side_left *out, struct err *err)
{
    struct side *inner = ((struct copies *)s)->inner;
    return inner->ops->left(inner, out, err);
}

static void side_free(struct side *s)
{
    struct copies *c = (struct copies *)s;
    c->inner->ops->free(c->inner);
    free(c->lost.v);
    free(c->used);
    free(c);
}

enum rc side_copies(const struct copies_options *opts, struct side *inner, struct side **out,
                    struct err *err)
{
    static const struct side_ops OPS = {start, next, left, side_free};
    struct finder f = {.schema = opts->schema, .last = opts->last};
    struct copies *c = calloc(1, sizeof *c);
    enum rc rc = c ? find_lost(&f, opts->trail, err) : err_nomem(err);
    free(f.suspects.v);
    free(f.gone.v);
    if (c) {
        *c = (struct copies){.base = *inner, .inner = inner, .lost = f.lost};
        c->base.ops = &OPS;
        c->used = calloc(f.lost.n + 1, sizeof *c->used);
        if (rc == RC_OK && !c->used)
            rc = err_nomem(err);
        if (f.lost.n)
            qsort(f.lost.v, f.lost.n, sizeof *f.lost.v, by_line);
        *out = &c->base;
    }
    if (rc == RC_OK)
        return RC_OK;
    *out = NULL;
    if (c) {
        side_free(&c->base);
    } else {
        inner->ops->free(inner);
    }
    return rc;
}
