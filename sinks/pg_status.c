/* SPDX-License-Identifier: MIT */
/* The statements do the work: they see a run under way as it is, from any process. */
#include "sinks/pg_status.h"

#include <stdio.h>

#include "sinks/pg_conn.h"
#include "sql.inc"

static enum rc print_runs(PGconn *pg, long long run, bool json, struct buf *out,
                          struct err *err)
{
    char number[24];
    const char *params[] = {number};
    PGresult *res = NULL;
    (void)snprintf(number, sizeof number, "%lld", run);
    enum rc rc = pg_query(pg, json ? sql_status : sql_status_text, params, 1, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        buf_add_str(out, pg_text(res, i, 0));
        buf_putc(out, '\n');
    }
    PQclear(res);
    return rc ? rc : buf_check(out, err);
}

enum rc pg_status(const char *conninfo, long long run, bool json, struct buf *out,
                  struct err *err)
{
    struct pg_target target;
    PGconn *pg = NULL;
    PGresult *res = NULL;
    enum rc rc = pg_target_init(&target, conninfo, NULL, 0, err);
    if (!rc)
        rc = pg_connect(&target, "renorm status", &pg, err);
    if (!rc)
        rc = pg_query(pg, sql_ledger_find, NULL, 0, &res, err);
    if (!rc && pg_number(res, 0, 0) != 1) {
        rc = err_set(err, RC_USAGE, "this database has no ledger");
        err_hint(err, "\"renorm export\" makes it with its first run");
    }
    if (!rc)
        rc = print_runs(pg, run, json, out, err);
    PQclear(res);
    PQfinish(pg);
    pg_target_release(&target);
    return rc;
}
