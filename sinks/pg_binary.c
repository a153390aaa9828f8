/* SPDX-License-Identifier: MIT */
/*
 * Encoders of the binary COPY format. Each writes the length word in front of its bytes; where
 * the length is known only afterwards (numeric, arrays) a hole is left and filled.
 */
#include "sinks/pg_binary.h"

#include <string.h>

enum { JSONB_VERSION = 1 };

static const uint32_t type_oids[COL_TYPES] = {
    [COL_TEXT] = 25,
    [COL_INTEGER] = 23,
    [COL_BIGINT] = 20,
    [COL_NUMERIC] = 1700,
    [COL_DOUBLE] = 701,
    [COL_BOOLEAN] = 16,
    [COL_BYTEA] = 17,
    [COL_DATE] = 1082,
    [COL_TIMESTAMPTZ] = 1184,
    [COL_UUID] = 2950,
    [COL_JSONB] = 3802,
    [COL_TEXT_ARRAY] = 1009,
    [COL_NUMERIC_ARRAY] = 1231,
    [COL_BYTEA_ARRAY] = 1001,
};

uint32_t pg_type_oid(enum col_type type)
{
    return type_oids[type];
}

void pg_binary_header(struct buf *b)
{
    static const char header[PG_HEADER_BYTES] = "PGCOPY\n\377\r\n\0";
    buf_add(b, header, sizeof header);
}

void pg_binary_trailer(struct buf *b)
{
    buf_be16(b, UINT16_MAX);
}

void pg_binary_int(struct buf *b, int32_t v)
{
    if (!buf_room(b, 8))
        return;
    pg_binary_word(b->p + b->len, 4);
    pg_binary_word(b->p + b->len + 4, (uint32_t)v);
    b->len += 8;
}

void pg_binary_bigint(struct buf *b, int64_t v)
{
    if (!buf_room(b, 12))
        return;
    pg_binary_word(b->p + b->len, 8);
    pg_binary_long(b->p + b->len + 4, (uint64_t)v);
    b->len += 12;
}

static size_t open_field(struct buf *b)
{
    pg_binary_null(b);
    return b->len;
}

static void close_field(struct buf *b, size_t start)
{
    if (b->rc == RC_OK)
        pg_binary_word(b->p + start - 4, (uint32_t)(b->len - start));
}

static enum rc too_long(struct err *err, size_t n)
{
    return err_set(err, RC_DATA, "a value of %zu bytes is past PostgreSQL's limit of %zu", n,
                   PG_FIELD_MAX);
}

static enum rc add_array(struct buf *b, enum col_type type, const struct datum *d,
                         struct err *err)
{
    enum col_type element = type == COL_TEXT_ARRAY      ? COL_TEXT
                            : type == COL_NUMERIC_ARRAY ? COL_NUMERIC
                                                        : COL_BYTEA;
    size_t total = 20, nulls = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        total += 4 + d->u.array[i].n;
        nulls += d->u.array[i].p == NULL;
        if (total > PG_FIELD_MAX)
            return too_long(err, total);
    }
    size_t start = open_field(b);
    buf_be32(b, d->n > 0 ? 1 : 0);
    buf_be32(b, nulls > 0 ? 1 : 0);
    buf_be32(b, type_oids[element]);
    if (d->n > 0) {
        buf_be32(b, d->n);
        buf_be32(b, 1);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        struct str s = d->u.array[i];
        if (s.p == NULL) {
            pg_binary_null(b);
        } else if (element == COL_NUMERIC) {
            size_t at = open_field(b);
            pg_binary_numeric(b, s);
            close_field(b, at);
        } else {
            pg_binary_bytes(b, s);
        }
    }
    close_field(b, start);
    return RC_OK;
}

static enum rc add_bytes(struct buf *b, enum col_type type, struct str s, struct err *err)
{
    if (s.n + 1 > PG_FIELD_MAX)
        return too_long(err, s.n);
    if (type == COL_NUMERIC) {
        size_t at = open_field(b);
        pg_binary_numeric(b, s);
        close_field(b, at);
    } else if (type == COL_JSONB) {
        buf_be32(b, (uint32_t)s.n + 1);
        buf_putc(b, JSONB_VERSION);
        buf_add_str(b, s);
    } else {
        pg_binary_bytes(b, s);
    }
    return RC_OK;
}

enum rc pg_binary_value(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    uint64_t bits = 0;
    switch (type) {
    case COL_TEXT:
    case COL_BYTEA:
    case COL_NUMERIC:
    case COL_JSONB:
        return add_bytes(b, type, d->u.text, err);
    case COL_INTEGER:
        pg_binary_int(b, (int32_t)d->u.i);
        break;
    case COL_BIGINT:
        pg_binary_bigint(b, d->u.i);
        break;
    case COL_DOUBLE:
        memcpy(&bits, &d->u.d, sizeof bits);
        pg_binary_bigint(b, (int64_t)bits);
        break;
    case COL_BOOLEAN:
        buf_be32(b, 1);
        buf_putc(b, d->u.boolean ? 1 : 0);
        break;
    case COL_DATE:
        pg_binary_int(b, (int32_t)(d->u.i - PG_DAYS_TO_2000));
        break;
    case COL_TIMESTAMPTZ:
        pg_binary_bigint(b, d->u.i - PG_US_TO_2000);
        break;
    case COL_UUID:
        pg_binary_bytes(b, str_make((const char *)d->u.uuid, sizeof d->u.uuid));
        break;
    case COL_TEXT_ARRAY:
    case COL_NUMERIC_ARRAY:
    case COL_BYTEA_ARRAY:
        return add_array(b, type, d, err);
    case COL_TYPES:
        break;
    }
    return RC_OK;
}
