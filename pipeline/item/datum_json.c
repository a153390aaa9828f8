/* SPDX-License-Identifier: MIT */
/* Cells as JSON text, and the order of two cells. */
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/item/datum.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/times.h"

/* The shortest of 15 to 17 digits that reads back as the same number. */
static void add_double(struct buf *b, double d)
{
    char text[40];
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(text, sizeof text, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
    buf_add(b, text, (size_t)n);
}

static void add_int(struct buf *b, int64_t v)
{
    char text[24], *at = text + sizeof text;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do {
        *--at = (char)('0' + u % 10);
    } while (u /= 10);
    if (v < 0)
        *--at = '-';
    buf_add(b, at, (size_t)(text + sizeof text - at));
}

static void add_uuid(struct buf *b, const unsigned char uuid[16])
{
    static const char HEX[] = "0123456789abcdef";
    char text[38], *to = text;
    *to++ = '"';
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = HEX[uuid[i] >> 4];
        *to++ = HEX[uuid[i] & 15];
    }
    *to = '"';
    buf_add(b, text, sizeof text);
}

static void add_bytes(struct buf *b, struct str bytes)
{
    buf_putc(b, '"');
    base64_add(b, bytes);
    buf_putc(b, '"');
}

static void add_array(struct buf *b, enum col_type type, const struct datum *d)
{
    buf_putc(b, '[');
    for (uint32_t i = 0; i < d->n; i++) {
        struct str s = d->u.array[i];
        if (i)
            buf_putc(b, ',');
        if (!s.p) {
            buf_puts(b, "null");
        } else if (type == COL_TEXT_ARRAY) {
            json_add_string(b, s);
        } else if (type == COL_NUMERIC_ARRAY) {
            buf_add_str(b, s);
        } else {
            add_bytes(b, s);
        }
    }
    buf_putc(b, ']');
}

void datum_json(struct buf *b, enum col_type type, const struct datum *d)
{
    if (d->state != DATUM_VALUE) {
        buf_add(b, "null", 4);
        return;
    }
    switch (type) {
    case COL_TEXT:
        json_add_string(b, d->u.text);
        break;
    case COL_INTEGER:
    case COL_BIGINT:
        add_int(b, d->u.i);
        break;
    case COL_NUMERIC:
    case COL_JSONB:
        buf_add_str(b, d->u.text);
        break;
    case COL_DOUBLE:
        add_double(b, d->u.d);
        break;
    case COL_BOOLEAN:
        buf_puts(b, d->u.boolean ? "true" : "false");
        break;
    case COL_BYTEA:
        add_bytes(b, d->u.text);
        break;
    case COL_DATE:
        buf_putc(b, '"');
        times_add_date(b, d->u.i);
        buf_putc(b, '"');
        break;
    case COL_TIMESTAMPTZ:
        buf_putc(b, '"');
        times_add_stamp(b, d->u.i);
        buf_putc(b, '"');
        break;
    case COL_UUID:
        add_uuid(b, d->u.uuid);
        break;
    case COL_TEXT_ARRAY:
    case COL_NUMERIC_ARRAY:
    case COL_BYTEA_ARRAY:
        add_array(b, type, d);
        break;
    case COL_TYPES:
        break;
    }
}

static int cmp_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int cmp_integers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Element by element, NULL before all values; the shorter first. */
static int cmp_arrays(enum col_type type, const struct datum *a, const struct datum *b)
{
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        struct str x = a->u.array[i], y = b->u.array[i];
        int c = (x.p != NULL) - (y.p != NULL);
        if (c == 0 && x.p)
            c = type == COL_NUMERIC_ARRAY ? decimal_cmp(x, y) : str_cmp(x, y);
        if (c != 0)
            return c;
    }
    return cmp_integers(a->n, b->n);
}

int datum_cmp(enum col_type type, const struct datum *a, const struct datum *b)
{
    if (a->state != b->state || a->state != DATUM_VALUE)
        return cmp_integers(a->state, b->state);
    switch (type) {
    case COL_TEXT:
    case COL_BYTEA:
    case COL_JSONB:
        return str_cmp(a->u.text, b->u.text);
    case COL_NUMERIC:
        return decimal_cmp(a->u.text, b->u.text);
    case COL_INTEGER:
    case COL_BIGINT:
    case COL_DATE:
    case COL_TIMESTAMPTZ:
        return cmp_integers(a->u.i, b->u.i);
    case COL_DOUBLE:
        return cmp_numbers(a->u.d, b->u.d);
    case COL_BOOLEAN:
        return a->u.boolean - b->u.boolean;
    case COL_UUID:
        return memcmp(a->u.uuid, b->u.uuid, sizeof a->u.uuid);
    case COL_TEXT_ARRAY:
    case COL_NUMERIC_ARRAY:
    case COL_BYTEA_ARRAY:
        return cmp_arrays(type, a, b);
    case COL_TYPES:
        break;
    }
    return 0;
}
