/* SPDX-License-Identifier: MIT */
/*
 * Slots to cells. Two attributes that claim one column are ambiguous; a key part and an
 * attribute must agree, unless the model prefers one of them.
 */
#include "pipeline/item/canon.h"
#include "pipeline/stage/shape.h"

const struct val *sources_get(const struct sources *s, const struct frame *f)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (f->slots[s->slots[i]])
            return f->slots[s->slots[i]];
    }
    return NULL;
}

static enum rc ambiguous(const struct table *t, const struct fill *fill, struct frame *f)
{
    return fault_set(f->why, "ambiguous", 0, "two attributes claim column \"%.*s\" of \"%.*s\"",
                     STR_FMT(t->columns[fill->column].name), STR_FMT(t->name));
}

static enum rc mismatch(const struct table *t, const struct fill *fill, struct frame *f)
{
    return fault_set(f->why, "key-mismatch", 0,
                     "column \"%.*s\" of \"%.*s\": a key part and another source of it differ",
                     STR_FMT(t->columns[fill->column].name), STR_FMT(t->name));
}

static enum rc choose(const struct fill *fill, const struct table *t, struct frame *f,
                      const struct val **out)
{
    const struct val *attribute = NULL, *part = NULL;
    bool differ = false;
    const struct sources *from = &fill->from;
    if (from->n == 1) { /* most columns: nothing to choose */
        *out = f->slots[from->slots[0]];
        return RC_OK;
    }
    for (uint32_t i = 0; i < from->nattributes; i++) {
        const struct val *v = f->slots[from->slots[i]];
        if (v && attribute && v != attribute)
            return ambiguous(t, fill, f);
        attribute = v ? v : attribute;
    }
    for (uint32_t i = from->nattributes; i < from->n; i++) {
        const struct val *v = f->slots[from->slots[i]];
        differ |= v && part && !val_agrees(v, part);
        part = part ? part : v;
    }
    differ |= attribute && part && !val_agrees(attribute, part);
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
    enum rc rc = datum_cast(&fill->cast, v, f->arena, cell, &used, f->why);
    if (rc == RC_DATA) {
        struct fault inner = *f->why;
        return fault_set(
            f->why, inner.reason, inner.position, "column \"%.*s\" of \"%.*s\": %s",
            STR_FMT(t->columns[fill->column].name), STR_FMT(t->name), inner.detail);
    }
    if (used)
        notes_add(f->notes, fill->note_lossy, 1);
    if (rc == RC_OK && cell->state == DATUM_NULL && !f->notes->keep_nulls)
        notes_add(f->notes, fill->note_null, 1);
    return rc;
}

static enum rc fill_one(const struct fill *fill, const struct table *t, struct frame *f,
                        struct datum *cell)
{
    const struct val *v = NULL;
    enum rc rc = choose(fill, t, f, &v);
    if (rc != RC_OK)
        return rc;
    if (v && datum_cast_easy(&fill->cast, v, cell))
        return RC_OK;
    *cell = (struct datum){.state = DATUM_MISSING};
    if (v)
        rc = cast_one(fill, t, f, v, cell);
    if (rc == RC_OK && fill->not_null && cell->state != DATUM_VALUE) {
        return fault_set(
            f->why, "not-null", 0, "column \"%.*s\" of \"%.*s\" is %s, it must have a value",
            STR_FMT(t->columns[fill->column].name), STR_FMT(t->name), v ? "NULL" : "missing");
    }
    return rc;
}

enum rc fills_cast(const struct fills *fills, const struct table *t, struct frame *f,
                   struct datum *cells)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; rc == RC_OK && i < fills->n; i++) {
        const struct fill *fill = &fills->v[i];
        const struct val *v = fill->from.n == 1 ? f->slots[fill->from.slots[0]] : NULL;
        if (!v || !datum_cast_easy(&fill->cast, v, &cells[fill->column]))
            rc = fill_one(fill, t, f, &cells[fill->column]);
    }
    return rc;
}

struct row *rows_add(struct rows_out *out, struct arena *a, const struct schema *s,
                     uint32_t table)
{
    if (out->n == out->cap) {
        size_t cap = out->cap ? out->cap * 2 : 256;
        struct row *v = arena_alloc(a, cap * sizeof *v);
        if (!v)
            return NULL;
        if (out->n)
            memcpy(v, out->v, out->n * sizeof *v);
        out->v = v;
        out->cap = cap;
    }
    struct row *row = &out->v[out->n];
    *row = (struct row){.table = table, .extract = UINT32_MAX};
    row->cells = arena_array(a, s->tables[table].ncolumns, sizeof *row->cells);
    if (!row->cells)
        return NULL;
    out->n++;
    return row;
}
