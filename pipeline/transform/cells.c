/* SPDX-License-Identifier: MIT */
/*
 * Fills cells from slots. Two attributes that claim one column are ambiguous; a key part and an
 * attribute must agree, unless the model prefers one of them.
 */
#include "pipeline/item/canon.h"
#include "pipeline/plan/shape.h"

const struct val *cells_source(const struct sources *s, const struct frame *f)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (f->slots[s->slots[i]])
            return f->slots[s->slots[i]];
    }
    return NULL;
}

/* Cells come behind the stages: what a detail quotes is what the row would have shown. */
static enum rc blame(const struct table *t, const struct fill *fill, struct frame *f)
{
    f->why->table = t->name;
    f->why->column = t->columns[fill->column].name;
    f->why->as_row = true;
    return RC_DATA;
}

static enum rc ambiguous(const struct table *t, const struct fill *fill, struct frame *f)
{
    (void)fault_set(f->why, "ambiguous", 0, "two attributes claim column \"%.*s\" of \"%.*s\"",
                    STR_FMT(t->columns[fill->column].name), STR_FMT(t->name));
    return blame(t, fill, f);
}

static enum rc mismatch(const struct table *t, const struct fill *fill, struct frame *f)
{
    (void)fault_set(f->why, "key-mismatch", 0,
                    "column \"%.*s\" of \"%.*s\": a key part and another source of it differ",
                    STR_FMT(t->columns[fill->column].name), STR_FMT(t->name));
    return blame(t, fill, f);
}

/* They agree if they are one value of the column, though "007" and 7 are not one value of an item. */
static bool agree(const struct fill *fill, const struct frame *f, const struct val *a,
                  const struct val *b)
{
    struct datum x, y;
    struct fault why;
    unsigned used = 0;
    if (value_agrees(a, b))
        return true;
    return !cast_value(&fill->cast, a, f->arena, &x, &used, &why) &&
           !cast_value(&fill->cast, b, f->arena, &y, &used, &why) && x.state == DATUM_VALUE &&
           y.state == DATUM_VALUE && !used && datum_cmp(fill->cast.type, &x, &y) == 0;
}

static bool is_part(const struct fill *fill, const struct frame *f, const struct val *v)
{
    for (uint32_t i = fill->from.nattributes; i < fill->from.n; i++) {
        if (f->slots[fill->from.slots[i]] == v)
            return true;
    }
    return false;
}

/* Is the value a text that the model takes for NULL? Its rule for all columns leaves key parts
   alone, for those say which item it is. */
static bool means_null(const struct fill *fill, const struct frame *f, const struct val *v)
{
    if (v->kind != VAL_S || (!fill->null_if_parts && is_part(fill, f, v)))
        return false;
    for (uint32_t i = 0; i < fill->null_if->n; i++) {
        if (str_eq(fill->null_if->v[i], v->u.s))
            return true;
    }
    return false;
}

static bool says_nothing(const struct fill *fill, const struct frame *f, const struct val *v)
{
    return v->kind == VAL_NULL || (fill->null_if && means_null(fill, f, v));
}

/* Of several attributes the one that has a value; where several have different ones, the first
   where that is preferred, and the others stay in the rest. One that says nothing is better than
   none. */
static enum rc choose_any(const struct fill *fill, const struct table *t, struct frame *f,
                          const struct val **out)
{
    const struct val *found = NULL, *null = NULL;
    bool lost = false;
    for (uint32_t i = 0; i < fill->from.nattributes; i++) {
        uint32_t slot = fill->from.slots[i];
        const struct val *v = f->slots[slot];
        if (!v)
            continue;
        if (says_nothing(fill, f, v)) {
            null = null ? null : v;
        } else if (!found) {
            found = v;
        } else if (!agree(fill, f, found, v)) {
            if (!fill->first)
                return ambiguous(t, fill, f);
            f->lost[slot] = true;
            lost = true;
        }
    }
    if (lost)
        notes_add(f->notes, fill->note_prefer, 1);
    *out = found ? found : null;
    return RC_OK;
}

/* The one attribute that there is. */
static enum rc choose_attribute(const struct fill *fill, const struct table *t, struct frame *f,
                                const struct val **out)
{
    *out = NULL;
    for (uint32_t i = 0; i < fill->from.nattributes; i++) {
        const struct val *v = f->slots[fill->from.slots[i]];
        if (v && *out && v != *out)
            return ambiguous(t, fill, f);
        *out = v ? v : *out;
    }
    return RC_OK;
}

static enum rc choose(const struct fill *fill, const struct table *t, struct frame *f,
                      const struct val **out)
{
    const struct val *attribute = NULL, *part = NULL;
    bool differ = false;
    const struct sources *from = &fill->from;
    if (from->n == 1) { /* most columns have one source, so there is nothing to choose */
        *out = f->slots[from->slots[0]];
        return RC_OK;
    }
    enum rc rc = fill->any ? choose_any(fill, t, f, &attribute)
                           : choose_attribute(fill, t, f, &attribute);
    if (rc)
        return rc;
    for (uint32_t i = from->nattributes; i < from->n; i++) {
        const struct val *v = f->slots[from->slots[i]];
        differ |= v && part && !agree(fill, f, v, part);
        part = part ? part : v;
    }
    differ |= attribute && part && !agree(fill, f, attribute, part);
    if (differ && fill->prefer == PREFER_NONE)
        return mismatch(t, fill, f);
    if (differ)
        notes_add(f->notes, fill->note_prefer, 1);
    *out = attribute ? attribute : part;
    if (fill->prefer == PREFER_PART && part)
        *out = part;
    return RC_OK;
}

static enum rc cast_one(const struct fill *fill, const struct table *t, struct frame *f,
                        const struct val *v, struct datum *cell)
{
    unsigned used = 0;
    enum rc rc = cast_value(&fill->cast, v, f->arena, cell, &used, f->why);
    if (rc == RC_DATA) {
        struct fault inner = *f->why;
        (void)fault_set(f->why, inner.reason, inner.position, "column \"%.*s\" of \"%.*s\": %s",
                        STR_FMT(t->columns[fill->column].name), STR_FMT(t->name), inner.detail);
        return blame(t, fill, f);
    }
    if (used)
        notes_add(f->notes, fill->note_lossy, 1);
    if (!rc && cell->state == DATUM_NULL && !f->notes->keep_nulls)
        notes_add(f->notes, fill->note_null, 1);
    return rc;
}

static enum rc fill_one(const struct fill *fill, const struct table *t, struct frame *f,
                        struct datum *cell)
{
    const struct val *v = NULL;
    enum rc rc = choose(fill, t, f, &v);
    if (rc)
        return rc;
    bool null = v && fill->null_if && means_null(fill, f, v);
    if (v && !null && cast_easy(&fill->cast, v, cell))
        return RC_OK;
    *cell = null ? (struct datum){.state = DATUM_NULL, .kind = VAL_NULL} : (struct datum){0};
    if (null) {
        notes_add(f->notes, fill->note_null_if, 1);
    } else if (v) {
        rc = cast_one(fill, t, f, v, cell);
    }
    if (!rc && fill->not_null && cell->state != DATUM_VALUE) {
        (void)fault_set(
            f->why, "not-null", 0, "column \"%.*s\" of \"%.*s\" is %s, it must have a value",
            STR_FMT(t->columns[fill->column].name), STR_FMT(t->name), v ? "NULL" : "missing");
        return blame(t, fill, f);
    }
    return rc;
}

enum rc cells_cast(const struct fills *fills, const struct table *t, struct frame *f,
                   struct datum *cells)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < fills->n; i++) {
        const struct fill *fill = &fills->v[i];
        const struct val *v = fill->from.n == 1 ? f->slots[fill->from.slots[0]] : NULL;
        if (!v || fill->null_if || !cast_easy(&fill->cast, v, &cells[fill->column]))
            rc = fill_one(fill, t, f, &cells[fill->column]);
    }
    return rc;
}

struct row *cells_new_row(struct rows_out *out, struct arena *a, const struct schema *s,
                          uint32_t table)
{
    struct row *v = arena_push(a, out->v, out->n, &out->cap, 256, sizeof *v);
    if (!v)
        return NULL;
    out->v = v;
    struct row *row = &out->v[out->n];
    *row = (struct row){.table = table, .extract = UINT32_MAX};
    row->cells = arena_array(a, s->tables[table].ncolumns, sizeof *row->cells);
    if (!row->cells)
        return NULL;
    out->n++;
    return row;
}
