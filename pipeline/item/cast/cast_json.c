/* SPDX-License-Identifier: MIT */
/* The forms that cells have in JSON lines. */
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/timestamp.h"

void cast_json_text(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    json_add_string(b, d->u.text);
}

/* Numbers with all their digits, and JSON. */
void cast_json_as_is(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_add_str(b, d->u.text);
}

void cast_json_integer(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    char text[24], *at = text + sizeof text;
    uint64_t u = d->u.i < 0 ? 0 - (uint64_t)d->u.i : (uint64_t)d->u.i;
    do {
        *--at = (char)('0' + u % 10);
    } while (u /= 10);
    if (d->u.i < 0)
        *--at = '-';
    buf_add(b, at, (size_t)(text + sizeof text - at));
}

/* The shortest of 15 to 17 digits that reads back as the same number. */
void cast_json_double(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    char text[40];
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(text, sizeof text, "%.*g", digits, d->u.d);
        if (strtod(text, NULL) == d->u.d)
            break;
    }
    buf_add(b, text, (size_t)n);
}

void cast_json_boolean(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_puts(b, d->u.boolean ? "true" : "false");
}

void cast_json_bytea(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_putc(b, '"');
    base64_add(b, d->u.text);
    buf_putc(b, '"');
}

void cast_json_date(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_putc(b, '"');
    timestamp_add_date(b, d->u.i);
    buf_putc(b, '"');
}

void cast_json_timestamp(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_putc(b, '"');
    timestamp_add_local(b, d->u.i);
    buf_putc(b, '"');
}

void cast_json_timestamptz(struct buf *b, enum col_type type, const struct datum *d)
{
    (void)type;
    buf_putc(b, '"');
    timestamp_add_stamp(b, d->u.i);
    buf_putc(b, '"');
}

void cast_json_uuid(struct buf *b, enum col_type type, const struct datum *d)
{
    static const char HEX[] = "0123456789abcdef";
    (void)type;
    char text[38], *to = text;
    *to++ = '"';
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *to++ = '-';
        *to++ = HEX[d->u.uuid[i] >> 4];
        *to++ = HEX[d->u.uuid[i] & 15];
    }
    *to = '"';
    buf_add(b, text, sizeof text);
}

/* An element that no item has stands for an array of several dimensions, which only a database
   can hold. */
void cast_json_array(struct buf *b, enum col_type type, const struct datum *d)
{
    enum col_type element = column_types[type].array.element;
    buf_putc(b, '[');
    for (uint32_t i = 0; i < d->n; i++) {
        if (i)
            buf_putc(b, ',');
        if (d->u.array[i].state == DATUM_MISSING) {
            buf_puts(b, "[]");
        } else {
            datum_json(b, element, &d->u.array[i]);
        }
    }
    buf_putc(b, ']');
}
