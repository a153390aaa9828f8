/* SPDX-License-Identifier: MIT */
/*
 * The binary COPY decoders on any bytes: what they take, the encoders write, and it decodes to the
 * same value again.
 */
#include <stdint.h>
#include <stdlib.h>

#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"
#include "sinks/postgres/wire/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* Only DynamoDB's numbers ever come to the encoders. */
static bool ours(struct str s)
{
    char canon[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    return s.p == NULL || (decimal_canon(s, canon, &n, &same) == DECIMAL_OK && same);
}

static bool encodes(enum col_type type, const struct datum *d)
{
    if (type == COL_NUMERIC)
        return ours(d->u.text);
    /* infinite times */
    if (type == COL_TIMESTAMPTZ || type == COL_TIMESTAMP)
        return d->u.i > INT64_MIN / 2 && d->u.i < INT64_MAX / 2;
    for (uint32_t i = 0; column_types[type].array.set && i < d->n; i++) {
        const struct datum *e = &d->u.array[i];
        bool one = e->state == DATUM_NULL || encodes(column_types[type].array.element, e);
        if (e->state == DATUM_MISSING || !one)
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct buf b;
    struct err err;
    struct datum first, second;
    if (size == 0)
        return 0;
    enum col_type type = (enum col_type)(data[0] % COL_TYPES);
    struct str field = str_make((const char *)data + 1, size - 1);
    arena_init(&a, 4096);
    buf_init(&b, 1 << 24);
    enum rc rc = pg_binary_read(type, field, &a, &first, &err);
    must(!rc || rc == RC_DATA);
    if (!rc && encodes(type, &first)) {
        struct column column = {.type = type};
        struct table t = {.columns = &column, .ncolumns = 1};
        must(buf_room(&b, 64) && !pg_binary_cells(&b, &t, &first, &err) && !b.rc);
        struct str again = str_from(buf_view(&b), 4);
        must(!pg_binary_read(type, again, &a, &second, &err));
        /* a double is its bits, also those of no number */
        must(datum_cmp(type, &first, &second) == 0 || type == COL_DOUBLE ||
             type == COL_DOUBLE_ARRAY);
    }
    buf_release(&b);
    arena_release(&a);
    return 0;
}
