/* SPDX-License-Identifier: MIT */
/* The lines of the kinds, grouped by kind. What comes from data is made fit for a terminal. */
#include "cmd/print/advice_kinds.h"

#include <inttypes.h>

#include "cmd/print/plain.h"

/* `"a", "b" and "c"`, or with the last one left out. */
static void add_quoted(struct buf *out, struct str name, uint32_t i, uint32_t n)
{
    buf_puts(out, i == 0 ? "\"" : i + 1 < n ? ", \"" : " and \"");
    plain_add(out, name, 200);
    buf_putc(out, '"');
}

static void add_example(const struct advice_subject *s, struct str value, struct buf *out)
{
    if (s->how->no_examples || s->seen->masks)
        return;
    buf_puts(out, ", as \"");
    plain_add(out, value, 200);
    buf_putc(out, '"');
}

/* ---- key attributes that nothing explains ---- */
static const struct shape *shape_of(const struct advice_subject *s)
{
    return s->plan->shapes[s->entity];
}

static bool has_unexplained(const struct advice_subject *s)
{
    return shape_of(s)->unexplained.n > 0;
}

static const char *fate_of_rest(const struct shape *shape, bool several)
{
    const char *one = "\"extra\" keeps it (once it was left out)";
    const char *more = "\"extra\" keeps them (once they were left out)";
    if (shape->rest_column != SLOT_NONE) {
        one = "the document of the rest keeps it";
        more = "the document of the rest keeps them";
    } else if (shape->rest == REST_REJECT) {
        one = more = "its items are rejected, as \"rest\" says";
    }
    return several ? more : one;
}

/* Versions before left them out. */
static void tell_unexplained(const struct advice_subject *s, struct buf *out)
{
    const struct shape *shape = shape_of(s);
    bool several = shape->unexplained.n > 1;
    buf_addf(out, "%s the key attribute%s ",
             s->plan->model->entities[s->entity].keys.nforms > 1
                 ? "not every form of \"keys\" explains"
                 : "nothing explains",
             several ? "s" : "");
    for (uint32_t i = 0; i < shape->unexplained.n; i++)
        add_quoted(out, shape->unexplained.v[i], i, shape->unexplained.n);
    buf_addf(out, ", and %s: name all %s parts in \"keys\" and columns, or \"drop\" %s",
             fate_of_rest(shape, several), several ? "their" : "its", several ? "them" : "it");
}

/* ---- index attributes that say what no column says ---- */
static uint32_t count_unsaid(const struct advice_subject *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->seen->n; i++)
        n += s->seen->v[i].alone > 0;
    return n;
}

static bool has_unsaid(const struct advice_subject *s)
{
    return s->seen && count_unsaid(s) > 0;
}

static void tell_unsaid(const struct advice_subject *s, struct buf *out)
{
    const struct index_attribute *most = NULL;
    uint32_t n = count_unsaid(s), done = 0;
    for (uint32_t i = 0; i < s->seen->n; i++) {
        const struct index_attribute *x = &s->seen->v[i];
        if (!x->alone)
            continue;
        add_quoted(out, x->name, done++, n);
        most = most && most->alone >= x->alone ? most : x;
    }
    if (!most)
        return;
    buf_addf(out, " say%s what no column says, ", n > 1 ? "" : "s");
    if (n > 1) {
        add_quoted(out, most->name, 0, 1);
        buf_putc(out, ' ');
    }
    buf_addf(out, "in %" PRIu64 " of %" PRIu64 " items", most->alone, s->seen->items);
    add_example(s, most->example, out);
    buf_puts(out, n > 1 ? ": give each a key template or a column"
                        : ": give it a key template or a column");
}

/* ---- attributes that always hold the same value ---- */

/* The first attribute that always equals this one, itself included. */
static uint32_t first_equal(const struct index_entity *e, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (index_attributes_equal(e, i, k))
            return k;
    }
    return i;
}

static uint32_t own_key_of(const struct index_entity *e, uint32_t i)
{
    for (uint32_t k = 0; k < e->n; k++) {
        if (e->v[k].own_key && k != i && index_attributes_equal(e, i, k))
            return k;
    }
    return UINT32_MAX;
}

/* Indexes that one attribute could serve: not those that hold the table's own key. */
static bool repeats(const struct index_entity *e, uint32_t i)
{
    uint32_t first = first_equal(e, i);
    return first != i && !e->v[i].own_key && !e->v[first].own_key &&
           own_key_of(e, i) == UINT32_MAX;
}

static bool has_repeats(const struct advice_subject *s)
{
    for (uint32_t i = 0; s->seen && i < s->seen->n; i++) {
        if (repeats(s->seen, i))
            return true;
    }
    return false;
}

static uint32_t count_equal(const struct index_entity *e, uint32_t first)
{
    uint32_t n = 1;
    for (uint32_t i = first + 1; i < e->n; i++)
        n += repeats(e, i) && first_equal(e, i) == first;
    return n;
}

static void tell_repeats(const struct advice_subject *s, struct buf *out)
{
    const struct index_entity *e = s->seen;
    bool more = false;
    for (uint32_t first = 0; first < e->n; first++) {
        uint32_t n = count_equal(e, first), done = 0;
        if (n < 2)
            continue;
        buf_puts(out, more ? "; so do " : "");
        for (uint32_t i = first; i < e->n; i++) {
            if (i == first || (repeats(e, i) && first_equal(e, i) == first))
                add_quoted(out, e->v[i].name, done++, n);
        }
        if (!more) {
            buf_addf(out, " always hold the same value in %" PRIu64 " items",
                     e->v[first].count);
            add_example(s, e->v[first].first, out);
        }
        more = true;
    }
    buf_puts(out, ": one attribute could serve all these indexes");
}

static bool holds_key(const struct index_entity *e, uint32_t i)
{
    return !e->v[i].own_key && own_key_of(e, i) != UINT32_MAX;
}

static bool has_key_copies(const struct advice_subject *s)
{
    for (uint32_t i = 0; s->seen && i < s->seen->n; i++) {
        if (holds_key(s->seen, i))
            return true;
    }
    return false;
}

static void tell_key_copies(const struct advice_subject *s, struct buf *out)
{
    const struct index_entity *e = s->seen;
    bool more = false;
    for (uint32_t i = 0; i < e->n; i++) {
        if (!holds_key(e, i))
            continue;
        buf_puts(out, more ? ", " : "");
        add_quoted(out, e->v[i].name, 0, 1);
        buf_puts(out, more ? " its " : " always holds the table's own ");
        add_quoted(out, e->v[own_key_of(e, i)].name, 0, 1);
        if (!more)
            add_example(s, e->v[i].first, out);
        more = true;
    }
    buf_puts(out, ": an index can have that attribute itself");
}

/* ---- keys that may mean something else ---- */
static void add_doubt(const struct advice_subject *s, struct str example, struct buf *out)
{
    if (example.n)
        add_example(s, example, out);
}

static uint32_t count_swallows(const struct advice_subject *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; s->doubts && i < s->doubts->nswallows; i++)
        n += s->doubts->swallows[i].entity == s->entity;
    return n;
}

static bool has_swallows(const struct advice_subject *s)
{
    return count_swallows(s) > 0;
}

static void tell_swallow(const struct advice_subject *s, const struct key_swallow *w,
                         struct buf *out)
{
    buf_addf(out,
             "the part \"%.*s\" of %.*s \"%.*s\" holds its separator \"%.*s\" in %" PRIu64
             " item%s",
             STR_FMT(w->part->text), STR_FMT(w->key->attribute), STR_FMT(w->key->tpl.text),
             STR_FMT(w->separator), w->items, w->items == 1 ? "" : "s");
    add_doubt(s, w->example, out);
    buf_addf(out, ": {%.*s:no-sep} refuses such items, {%.*s:sep} says that they are right",
             STR_FMT(w->part->text), STR_FMT(w->part->text));
}

static void tell_swallows(const struct advice_subject *s, struct buf *out)
{
    bool more = false;
    for (uint32_t i = 0; i < s->doubts->nswallows; i++) {
        const struct key_swallow *w = &s->doubts->swallows[i];
        if (w->entity != s->entity)
            continue;
        if (more) {
            buf_addf(out, "; so does \"%.*s\" of %.*s", STR_FMT(w->part->text),
                     STR_FMT(w->key->attribute));
        } else {
            tell_swallow(s, w, out);
        }
        more = true;
    }
}

static bool has_overlaps(const struct advice_subject *s)
{
    for (uint32_t i = 0; s->doubts && i < s->doubts->noverlaps; i++) {
        if (s->doubts->overlaps[i].entity == s->entity)
            return true;
    }
    return false;
}

static void tell_overlaps(const struct advice_subject *s, struct buf *out)
{
    const struct entity *e = s->plan->model->entities;
    bool more = false;
    for (uint32_t i = 0; i < s->doubts->noverlaps; i++) {
        const struct key_overlap *o = &s->doubts->overlaps[i];
        if (o->entity != s->entity)
            continue;
        if (more) {
            buf_addf(out, "; %" PRIu64 " %.*s would", o->items, STR_FMT(e[o->later].name));
        } else {
            buf_addf(out, "%" PRIu64 " item%s %.*s would take, too, which comes later",
                     o->items, o->items == 1 ? " that" : "s that", STR_FMT(e[o->later].name));
            add_doubt(s, o->example, out);
        }
        more = true;
    }
    buf_puts(out, ": the first in the model's order has them");
}

/* ---- what a backfill could do ---- */
static bool has_untyped(const struct advice_subject *s)
{
    return s->seen && s->seen->untyped > 0;
}

static void tell_untyped(const struct advice_subject *s, struct buf *out)
{
    buf_addf(out, "%" PRIu64 " of %" PRIu64 " items have no ", s->seen->untyped,
             s->seen->items);
    add_quoted(out, s->plan->type, 0, 1);
    buf_puts(out, ": a backfill could add it");
}

const struct advice_kind advice_kinds_model[] = {
    {"advice", has_unexplained, tell_unexplained, "key attributes that nothing explains"}, {0}};

const struct advice_kind advice_kinds_items[] = {
    {"advice", has_unsaid, tell_unsaid, "index attributes that say what no column says"},
    {"advice", has_repeats, tell_repeats, "index attributes that always hold the same value"},
    {"advice", has_key_copies, tell_key_copies,
     "index attributes that hold the table's own key"},
    {"advice", has_swallows, tell_swallows, "key parts that hold their separator"},
    {"advice", has_overlaps, tell_overlaps, "items that a later entity would take, too"},
    {0}};

const struct advice_kind advice_kinds_backfill[] = {
    {"backfill hint", has_untyped, tell_untyped, "items without a type, which could be added"},
    {0}};
