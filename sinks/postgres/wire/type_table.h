/* SPDX-License-Identifier: MIT */
/*
 * What PostgreSQL knows of a column type, one row each, beside the row of the same index in
 * pipeline/item/cast/column_type.c, which has its name, its width and the rest.
 * https://www.postgresql.org/docs/current/catalog-pg-type.html
 */
#ifndef SINKS_POSTGRES_WIRE_TYPE_TABLE_H
#define SINKS_POSTGRES_WIRE_TYPE_TABLE_H

#include "pipeline/base/err.h"
#include "pipeline/item/datum.h"

/* SQL before and behind a column's name; before == NULL: the usual. */
struct pg_around {
    const char *before, *after;
};

struct pg_type {
    uint32_t oid;           /* the same on every server */
    const char *shown;      /* by format_type(); NULL: its name */
    const char *key_suffix; /* behind the type of a key's column; NULL: nothing */
    struct pg_around json;  /* spelt as JSON lines spell it; usually to_jsonb(NAME) */
    struct pg_around from;  /* from a column of another type; usually NAME::TYPE */

    /* Appends length word and bytes of a value; as pg_binary_cell. */
    enum rc (*put)(struct buf *b, enum col_type type, const struct datum *d, struct err *err);
    /* Reads a field that is not NULL, and as long as the type is wide if it has a width, into
       `out`, which has been cleared; as pg_binary_read, but without a message for RC_NOMEM. */
    enum rc (*get)(enum col_type type, struct str field, struct arena *a, struct datum *out,
                   struct err *err);
};

extern const struct pg_type pg_types[COL_TYPES];

#endif
