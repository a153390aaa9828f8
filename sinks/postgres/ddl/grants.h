/* SPDX-License-Identifier: MIT */
/* Rights that nobody granted by hand. */
#ifndef SINKS_POSTGRES_DDL_GRANTS_H
#define SINKS_POSTGRES_DDL_GRANTS_H

#include "sinks/postgres/wire/connection.h"

/*
 * Takes back what default privileges gave to others on tables just made. `tables` is an array
 * literal of their names; NULL: all of the schema, and the schema itself.
 */
enum rc pg_grants_away(PGconn *pg, const char *schema, const char *tables,
                       struct err *err) MUST_CHECK;

#endif
