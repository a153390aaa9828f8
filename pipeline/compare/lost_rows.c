/* SPDX-License-Identifier: MIT */
/*
 * A table may have more rows than there is memory, but few keys have several rows. So the notes are
 * read twice: first every key marks a bit, then only rows whose bit was marked twice are kept in
 * memory. Tables are judged level by level, parents first: a row below a lost one of the same item
 * is lost, and is no choice for its key. Lost rows are known by the hashes of their lines: of equal
 * rows it does not matter which one is dropped.
 */
#include "pipeline/compare/lost_rows.h"

#include <stdlib.h>

#include "pipeline/base/memory.h"

enum { BITS = 1 << 27 };

struct note {
    uint64_t hash, place, up, line;
    uint32_t table, number; /* the number orders rows of one place */
};

struct notes {
    struct note *v;
    size_t n, cap;
};

struct lost_rows {
    struct notes rows; /* sorted by table and line, once all are found */
    bool *used;        /* of each: a row of this reading was dropped for it */
};

struct finder {
    const struct schema *schema;
    unsigned char *once, *twice;
    struct notes suspects; /* rows whose key others may have, too; sorted by key */
    struct notes lost;
    size_t above;   /* so many of the lost are of levels above, and sorted by place */
    uint32_t level; /* in work; 0: rows that are no children */
    bool last, nomem;
};

static uint32_t level_of(const struct schema *s, uint32_t table)
{
    uint32_t level = 0;
    for (; level <= s->ntables && row_origin_parent(s, table) != UINT32_MAX; level++)
        table = row_origin_parent(s, table);
    return level;
}

static void push(struct finder *f, struct notes *to, const struct note *note)
{
    struct note *v = memory_push(to->v, to->n, &to->cap, 256, sizeof *v);
    if (!v) {
        f->nomem = true;
        return;
    }
    to->v = v;
    to->v[to->n++] = *note;
}

/* False for copies: the extract's rule makes one row of them. */
static bool chosen_from(const struct schema *s, const struct row_origin_note *note)
{
    const struct table *t = &s->tables[note->table];
    return !note->candidate && t->nkey > 0 && t->kind != TABLE_CONFLICT;
}

static size_t bit_of(const struct row_origin_note *note)
{
    return (size_t)(note->hash ^ note->table * UINT64_C(0x9E3779B97F4A7C15)) & (BITS - 1);
}

static void mark(void *ctx, const struct row_origin_note *note)
{
    struct finder *f = ctx;
    if (!chosen_from(f->schema, note))
        return;
    size_t bit = bit_of(note);
    unsigned char mask = (unsigned char)(1U << (bit & 7));
    f->twice[bit >> 3] |= f->once[bit >> 3] & mask;
    f->once[bit >> 3] |= mask;
}

static struct note note_of(const struct row_origin_note *note, uint32_t number)
{
    return (struct note){note->hash, note->place, note->up, note->line, note->table, number};
}

static void suspect(void *ctx, const struct row_origin_note *note)
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

/* Was the row's parent, of the same item, lost? */
static bool came_with_lost(const struct finder *f, const struct note *note)
{
    struct note like = {.table = row_origin_parent(f->schema, note->table),
                        .hash = note->up,
                        .place = note->place};
    return f->above && like.table != UINT32_MAX &&
           bsearch(&like, f->lost.v, f->above, sizeof like, by_place);
}

static void lose_below(void *ctx, const struct row_origin_note *note)
{
    struct finder *f = ctx;
    struct note own = note_of(note, 0);
    if (!note->candidate && level_of(f->schema, note->table) == f->level &&
        came_with_lost(f, &own))
        push(f, &f->lost, &own);
}

/* Drops all but one of n rows with one key, which are sorted by place. */
static void choose_one(struct finder *f, const struct note *v, size_t n)
{
    const struct note *kept = NULL;
    for (size_t i = 0; i < n; i++) {
        if (came_with_lost(f, &v[i]))
            continue;
        if (kept)
            push(f, &f->lost, f->last ? kept : &v[i]);
        kept = kept && !f->last ? kept : &v[i];
    }
}

/* Chooses among the suspects of the level in work. */
static void choose(struct finder *f)
{
    const struct notes *s = &f->suspects;
    for (size_t i = 0, n; i < s->n; i += n) {
        const struct note *v = &s->v[i];
        for (n = 1; i + n < s->n && v[n].table == v->table && v[n].hash == v->hash; n++)
            continue;
        if (level_of(f->schema, v->table) == f->level)
            choose_one(f, v, n);
    }
}

static enum rc find_in_level(struct finder *f, const struct row_origins *origins,
                             struct err *err)
{
    f->above = f->lost.n;
    if (f->above)
        qsort(f->lost.v, f->above, sizeof *f->lost.v, by_place);
    enum rc rc = f->above ? row_origin_each(origins, lose_below, f, err) : RC_OK;
    choose(f);
    return rc;
}

static uint32_t deepest(const struct schema *s)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->ntables; i++)
        most = level_of(s, i) > most ? level_of(s, i) : most;
    return most;
}

static enum rc find_suspects(struct finder *f, const struct row_origins *origins,
                             struct err *err)
{
    f->once = calloc(1, BITS / 8);
    f->twice = calloc(1, BITS / 8);
    enum rc rc = f->once && f->twice ? row_origin_each(origins, mark, f, err) : err_nomem(err);
    if (!rc)
        rc = row_origin_each(origins, suspect, f, err);
    free(f->once);
    free(f->twice);
    if (f->suspects.n)
        qsort(f->suspects.v, f->suspects.n, sizeof *f->suspects.v, by_key);
    return rc;
}

static enum rc keep(const struct notes *lost, struct lost_rows **out, struct err *err)
{
    struct lost_rows *l = calloc(1, sizeof *l);
    bool *used = calloc(lost->n + 1, sizeof *used);
    if (!l || !used) {
        free(l);
        free(used);
        return err_nomem(err);
    }
    if (lost->n)
        qsort(lost->v, lost->n, sizeof *lost->v, by_line);
    *l = (struct lost_rows){*lost, used};
    *out = l;
    return RC_OK;
}

enum rc lost_rows_find(const struct row_origins *origins, const struct schema *schema,
                       bool last, struct lost_rows **out, struct err *err)
{
    struct finder f = {.schema = schema, .last = last};
    enum rc rc = find_suspects(&f, origins, err);
    uint32_t levels = f.suspects.n ? deepest(schema) + 1 : 0;
    for (; !rc && f.level < levels; f.level++)
        rc = find_in_level(&f, origins, err);
    if (!rc && f.nomem)
        rc = err_nomem(err);
    if (!rc)
        rc = keep(&f.lost, out, err);
    free(f.suspects.v);
    if (rc)
        free(f.lost.v);
    return rc;
}

void lost_rows_free(struct lost_rows *l)
{
    if (!l)
        return;
    free(l->rows.v);
    free(l->used);
    free(l);
}

void lost_rows_again(struct lost_rows *l)
{
    memset(l->used, 0, l->rows.n * sizeof *l->used);
}

bool lost_rows_has(struct lost_rows *l, uint32_t table, struct str line)
{
    struct note like = {.table = table, .line = row_origin_hash(line)};
    size_t low = 0, high = l->rows.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (by_line(&l->rows.v[mid], &like) < 0) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    for (; low < l->rows.n && by_line(&l->rows.v[low], &like) == 0; low++) {
        if (!l->used[low]) {
            l->used[low] = true;
            return true;
        }
    }
    return false;
}
