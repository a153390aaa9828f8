/* SPDX-License-Identifier: MIT */
/*
 * Default privileges give rights on every new table. On a table that takes another one's place
 * only the rights of that one count, and what holds items as they came (the ledger, conflicts)
 * is granted to nobody but by hand.
 */
#include "sinks/postgres/ddl/grants.h"

#include "sql.inc"

enum rc pg_grants_away(PGconn *pg, const char *schema, const char *tables, struct err *err)
{
    const char *params[] = {schema, tables};
    PGresult *res = NULL;
    enum rc rc = pg_query(pg, sql_grants_away, params, 2, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++)
        rc = pg_exec(pg, PQgetvalue(res, i, 0), err);
    PQclear(res);
    return rc;
}
