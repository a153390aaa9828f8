/* SPDX-License-Identifier: MIT */
/*
 * Names and literals inside generated SQL. Identifiers are always quoted, so that no name can
 * be more than a name; one of more than 63 bytes is cut and given a hash of the whole, the same
 * way each time.
 */
#ifndef SINKS_POSTGRES_DDL_QUOTE_H
#define SINKS_POSTGRES_DDL_QUOTE_H

#include "pipeline/base/buf.h"

enum { PG_NAME_MAX = 63 };

struct pg_name {
    char text[PG_NAME_MAX + 1];
    size_t n;
};

/* The name as the server will know it; *cut (may be NULL) is set if it was too long. */
struct pg_name pg_name_fit(struct str name, bool *cut);

/* Appends "name", fitted and quoted. */
void pg_add_ident(struct buf *b, struct str name);

/* Appends "schema"."name". */
void pg_add_qualified(struct buf *b, struct str schema, struct str name);

/* Appends 'text'. standard_conforming_strings is pinned on every connection. */
void pg_add_literal(struct buf *b, struct str text);

#endif
