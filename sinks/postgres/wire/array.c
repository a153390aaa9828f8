/* SPDX-License-Identifier: MIT */
/*
 * Arrays of one dimension: a header, then the elements as their own type writes them. A value of
 * that type is u.text.
 */
#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/codec_private.h"
#include "sinks/postgres/wire/type_table.h"

enum { MAX_DIMENSIONS = 6 };

enum rc pg_array_put(struct buf *b, enum col_type type, const struct datum *d, struct err *err)
{
    enum col_type element = column_types[type].array.element;
    size_t total = 20, nulls = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        total += 4 + d->u.array[i].n;
        nulls += d->u.array[i].p == NULL;
        if (total > PG_FIELD_MAX)
            return pg_field_too_long(err, total);
    }
    size_t start = pg_field_open(b);
    buf_be32(b, d->n > 0 ? 1 : 0);
    buf_be32(b, nulls > 0 ? 1 : 0);
    buf_be32(b, pg_types[element].oid);
    if (d->n > 0) {
        buf_be32(b, d->n);
        buf_be32(b, 1);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        struct datum cell = {.state = DATUM_VALUE, .u.text = d->u.array[i]};
        enum rc rc = RC_OK;
        if (cell.u.text.p == NULL) {
            pg_binary_null(b);
        } else {
            rc = pg_types[element].put(b, element, &cell, err);
        }
        if (rc)
            return rc;
    }
    pg_field_close(b, start);
    return RC_OK;
}

/* Of several dimensions: not ours. One element that no item has stands for it; among bytes, where
   an item may have anything, what the server sent. */
static enum rc read_dimensions(enum col_type type, struct str f, struct arena *a,
                               struct datum *out)
{
    struct str *array = arena_array(a, 1, sizeof *array);
    if (array == NULL)
        return RC_NOMEM;
    struct str foreign = pg_types[column_types[type].array.element].foreign;
    array[0] = foreign.p ? foreign : f;
    out->n = 1;
    out->u.array = array;
    return RC_OK;
}

enum rc pg_array_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                     struct err *err)
{
    if (f.n < 12 || pg_get32(f.p) > MAX_DIMENSIONS || (pg_get32(f.p) > 0 && f.n < 20))
        return pg_field_malformed(err, "array");
    if (pg_get32(f.p) > 1)
        return read_dimensions(type, f, a, out);
    uint32_t n = pg_get32(f.p) == 1 ? pg_get32(f.p + 12) : 0;
    if (n > f.n / 4)
        return pg_field_malformed(err, "array");
    struct str *array = arena_array(a, n ? n : 1, sizeof *array);
    if (array == NULL)
        return RC_NOMEM;
    enum col_type element = column_types[type].array.element;
    size_t at = 20;
    for (uint32_t i = 0; i < n; i++) {
        if (f.n - at < 4)
            return pg_field_malformed(err, "array");
        uint32_t len = pg_get32(f.p + at);
        at += 4;
        if (len == UINT32_MAX)
            continue;
        if (len > f.n - at)
            return pg_field_malformed(err, "array");
        struct datum cell = {0};
        enum rc rc = pg_types[element].get(element, str_make(f.p + at, len), a, &cell, err);
        if (rc)
            return rc;
        array[i] = cell.u.text;
        at += len;
    }
    out->n = n;
    out->u.array = array;
    return RC_OK;
}
