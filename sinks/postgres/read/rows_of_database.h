/* SPDX-License-Identifier: MIT */
/* The tables of a PostgreSQL database as a reader of rows. */
#ifndef SINKS_POSTGRES_READ_ROWS_OF_DATABASE_H
#define SINKS_POSTGRES_READ_ROWS_OF_DATABASE_H

#include "pipeline/compare/rows_reader.h"

/*
 * RC_USAGE if nothing was ever published there. `name` is the database's schema, NULL: the one
 * that the model is named after. Borrows `schema` until the reader is freed. Returns owned in *out.
 */
enum rc pg_rows_open(const char *conninfo, const char *name, const struct schema *schema,
                     struct rows_reader **out, struct err *err) MUST_CHECK;

#endif
