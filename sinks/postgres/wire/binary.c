/* SPDX-License-Identifier: MIT */
/* The frame of the binary COPY format; what is in a field, the table of types says. */
#include "sinks/postgres/wire/binary.h"

#include <string.h>

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/codec_private.h"
#include "sinks/postgres/wire/type_table.h"

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

enum rc pg_binary_value(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    return pg_types[type].put(b, type, d, err);
}

enum rc pg_binary_read(enum col_type type, struct str field, struct arena *a, struct datum *out,
                       struct err *err)
{
    size_t width = column_types[type].bytes;
    memset(out, 0, sizeof *out);
    out->state = field.p ? DATUM_VALUE : DATUM_NULL;
    if (field.p == NULL)
        return RC_OK;
    if (width > 0 && field.n != width)
        return pg_field_malformed(err, column_type_name(type));
    enum rc rc = pg_types[type].get(type, field, a, out, err);
    return rc == RC_NOMEM ? err_nomem(err) : rc;
}
