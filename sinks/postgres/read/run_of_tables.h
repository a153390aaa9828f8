/* SPDX-License-Identifier: MIT */
/* Which run published what a schema of the database shows. */
#ifndef SINKS_POSTGRES_READ_RUN_OF_TABLES_H
#define SINKS_POSTGRES_READ_RUN_OF_TABLES_H

#include "pipeline/row/schema.h"
#include "sinks/postgres/wire/connection.h"

/*
 * The row of sql/run_of_tables.sql, owned by the caller. RC_USAGE if nothing was ever published to the
 * target, or the tables of the model are of several runs.
 */
enum rc pg_run_of_tables(PGconn *pg, const char *target, const struct schema *of,
                         PGresult **out, struct err *err) MUST_CHECK;

#endif
