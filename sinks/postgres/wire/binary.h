/* SPDX-License-Identifier: MIT */
/*
 * Cells to and from PostgreSQL's binary COPY format. Pure: no connection, no state. Encoders
 * expect canonical values (a numeric in its one spelling, years 1 to 9999, text without NUL);
 * decoders give canonical values back, whatever display scale or member order the server
 * chose. https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4
 */
#ifndef SINKS_POSTGRES_WIRE_BINARY_H
#define SINKS_POSTGRES_WIRE_BINARY_H

#include "pipeline/item/datum.h"
#include "pipeline/row/schema.h"

/* The largest field the server takes: 1 GB less one byte. */
#define PG_FIELD_MAX ((size_t)0x3fffffff)

/* The server counts from 2000 on, canonical values from 1970 on. */
#define PG_US_TO_2000 INT64_C(946684800000000)

enum { PG_HEADER_BYTES = 19, PG_DAYS_TO_2000 = 10957 };

/* The start of every COPY stream, once. */
void pg_binary_header(struct buf *b);

/* Its end; the server does not insist on it, so row counts are compared as well. */
void pg_binary_trailer(struct buf *b);

static inline void pg_binary_row(struct buf *b, uint32_t fields)
{
    if (!buf_room(b, 2))
        return;
    b->p[b->len] = (char)(unsigned char)(fields >> 8);
    b->p[b->len + 1] = (char)(unsigned char)fields;
    b->len += 2;
}

static inline void pg_binary_word(char *p, uint32_t v)
{
    p[0] = (char)(unsigned char)(v >> 24);
    p[1] = (char)(unsigned char)(v >> 16);
    p[2] = (char)(unsigned char)(v >> 8);
    p[3] = (char)(unsigned char)v;
}

static inline void pg_binary_long(char *p, uint64_t v)
{
    pg_binary_word(p, (uint32_t)(v >> 32));
    pg_binary_word(p + 4, (uint32_t)v);
}

/* Text and bytea of at most PG_FIELD_MAX bytes. */
static inline void pg_binary_bytes(struct buf *b, struct str s)
{
    if (!buf_room(b, s.n + 4))
        return;
    pg_binary_word(b->p + b->len, (uint32_t)s.n);
    (void)str_put(b->p + b->len + 4, s.p, s.n);
    b->len += s.n + 4;
}

static inline void pg_binary_null(struct buf *b)
{
    if (!buf_room(b, 4))
        return;
    memset(b->p + b->len, 0xff, 4);
    b->len += 4;
}

/* As pg_binary_cell, of a cell that has a value. */
enum rc pg_binary_value(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err) MUST_CHECK;

/*
 * Appends length word and bytes; MISSING and NULL become SQL NULL. Sticky failure of b only,
 * but for a value past PG_FIELD_MAX: then RC_DATA with err set and b as it was.
 */
static inline enum rc pg_binary_cell(struct buf *b, enum col_type type, const struct datum *d,
                                     struct err *err)
{
    if (d->state != DATUM_VALUE) {
        pg_binary_null(b);
    } else if (type == COL_TEXT && d->u.text.n <= PG_FIELD_MAX) {
        pg_binary_bytes(b, d->u.text);
    } else {
        return pg_binary_value(b, type, d, err);
    }
    return RC_OK;
}

/* All cells of a row of t, likewise; err names the column. */
enum rc pg_binary_cells(struct buf *b, const struct table *t, const struct datum *cells,
                        struct err *err) MUST_CHECK;

/* Single values for the ledger's own tables. */
void pg_binary_int(struct buf *b, int32_t v);
void pg_binary_bigint(struct buf *b, int64_t v);

/* The bytes of a numeric (no length word) from decimal text with at most 400 digits. */
void pg_binary_numeric(struct buf *b, struct str text);

/*
 * A field as it came; field.p == NULL is SQL NULL and gives DATUM_NULL. The result lives in
 * `a`, text and bytea point into the field. RC_OK, RC_NOMEM, or RC_DATA: not this type.
 */
enum rc pg_binary_read(enum col_type type, struct str field, struct arena *a, struct datum *out,
                       struct err *err) MUST_CHECK;

#endif
