/* SPDX-License-Identifier: MIT */
/*
 * Arrays of one dimension: a header, then the elements as their own type writes them.
 */
#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/codec_private.h"
#include "sinks/postgres/wire/type_table.h"

enum { MAX_DIMENSIONS = 6 };

/* Bytes that the elements take at least, and how many are NULL. */
static size_t measure(enum col_type element, const struct datum *d, bool *nulls)
{
    size_t total = 20, width = column_types[element].bytes;
    *nulls = false;
    for (uint32_t i = 0; i < d->n && total <= PG_FIELD_MAX; i++) {
        bool null = d->u.array[i].state != DATUM_VALUE;
        total += 4 + (null ? 0 : width ? width : d->u.array[i].u.text.n);
        *nulls |= null;
    }
    return total;
}

enum rc pg_array_put(struct buf *b, enum col_type type, const struct datum *d, struct err *err)
{
    enum col_type element = column_types[type].array.element;
    bool nulls = false;
    size_t total = measure(element, d, &nulls);
    if (total > PG_FIELD_MAX)
        return pg_field_too_long(err, total);
    size_t start = pg_field_open(b);
    buf_be32(b, d->n > 0 ? 1 : 0);
    buf_be32(b, nulls ? 1 : 0);
    buf_be32(b, pg_types[element].oid);
    if (d->n > 0) {
        buf_be32(b, d->n);
        buf_be32(b, 1);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        enum rc rc = pg_binary_cell(b, element, &d->u.array[i], err);
        if (rc)
            return rc;
    }
    pg_field_close(b, start);
    return RC_OK;
}

/* Of several dimensions: not ours. One element that no item has stands for it. */
static enum rc read_dimensions(struct arena *a, struct datum *out)
{
    out->u.array = arena_array(a, 1, sizeof *out->u.array);
    out->n = out->u.array ? 1 : 0;
    return out->u.array ? RC_OK : RC_NOMEM;
}

enum rc pg_array_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                     struct err *err)
{
    if (f.n < 12 || pg_get32(f.p) > MAX_DIMENSIONS || (pg_get32(f.p) > 0 && f.n < 20))
        return pg_field_malformed(err, "array");
    if (pg_get32(f.p) > 1)
        return read_dimensions(a, out);
    uint32_t n = pg_get32(f.p) == 1 ? pg_get32(f.p + 12) : 0;
    if (n > f.n / 4)
        return pg_field_malformed(err, "array");
    struct datum *array = arena_array(a, n ? n : 1, sizeof *array);
    if (array == NULL)
        return RC_NOMEM;
    enum col_type element = column_types[type].array.element;
    size_t at = 20;
    for (uint32_t i = 0; i < n; i++) {
        if (f.n - at < 4)
            return pg_field_malformed(err, "array");
        uint32_t len = pg_get32(f.p + at);
        at += 4;
        bool null = len == UINT32_MAX;
        if (!null && len > f.n - at)
            return pg_field_malformed(err, "array");
        struct str field = null ? (struct str){0} : str_make(f.p + at, len);
        enum rc rc = pg_binary_read(element, field, a, &array[i], err);
        if (rc)
            return rc;
        at += field.n;
    }
    out->n = n;
    out->u.array = array;
    return RC_OK;
}
