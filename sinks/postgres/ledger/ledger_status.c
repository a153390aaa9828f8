/* SPDX-License-Identifier: MIT */
/* The statements do the work: they see a run under way as it is, from any process. */
#include "sinks/postgres/ledger/ledger_status.h"

#include <stdio.h>
#include <string.h>

#include "sinks/postgres/ledger/ledger_find.h"
#include "sql.inc"

/* A standby refuses to read unlogged tables: what is in them is on the primary alone. */
static void logged_only(struct buf *b, const char *sql)
{
    static const char unlogged[] = " UNION ALL SELECT * FROM renorm.segment_unlogged";
    const char *at = strstr(sql, unlogged);
    buf_add(b, sql, at ? (size_t)(at - sql) : strlen(sql));
    if (at)
        buf_puts(b, at + sizeof unlogged - 1);
}

static enum rc print_runs(PGconn *pg, const char *run, const char *sql, struct buf *out,
                          struct err *err)
{
    const char *params[] = {run};
    PGresult *res = NULL;
    enum rc rc = pg_query(pg, sql, params, 1, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        buf_add_str(out, pg_text(res, i, 0));
        buf_putc(out, '\n');
    }
    PQclear(res);
    return rc ? rc : buf_check(out, err);
}

/* Is it there, and is the server a standby? */
static enum rc look(PGconn *pg, const char *run, bool *standby, struct err *err)
{
    const char *params[] = {run};
    PGresult *res = NULL;
    bool there = false;
    enum rc rc = pg_ledger_find(pg, false, &there, err);
    if (!rc && !there) {
        rc = err_set(err, RC_USAGE, "this database has no ledger");
        err_hint(err, "\"renorm export\" makes it with its first run");
    }
    if (!rc) {
        rc = pg_query(pg,
                      "SELECT pg_is_in_recovery(), $1::bigint = 0 OR EXISTS (SELECT FROM "
                      "renorm.run WHERE run = $1::bigint)",
                      params, 1, &res, err);
    }
    *standby = !rc && str_is(pg_text(res, 0, 0), "t");
    if (!rc && !str_is(pg_text(res, 0, 1), "t")) {
        rc = err_set(err, RC_USAGE, "the ledger has no run %s", run);
        err_hint(err, "without --run all are shown; old ones leave, see --keep-runs");
    }
    PQclear(res);
    return rc;
}

enum rc pg_status(const char *conninfo, long long run, bool json, struct buf *out,
                  struct err *err)
{
    struct pg_target target;
    PGconn *pg = NULL;
    const char *all = json ? sql_status : sql_status_text;
    char number[24];
    bool standby = false;
    struct buf sql;
    buf_init(&sql, 1 << 16);
    (void)snprintf(number, sizeof number, "%lld", run);
    enum rc rc = pg_target_init(&target, conninfo, NULL, 0, err);
    if (!rc)
        rc = pg_connect(&target, "renorm status", &pg, err);
    if (!rc)
        rc = look(pg, number, &standby, err);
    if (standby)
        logged_only(&sql, all);
    if (!rc)
        rc = buf_check(&sql, err);
    if (!rc)
        rc = print_runs(pg, number, standby ? buf_cstr(&sql) : all, out, err);
    PQfinish(pg);
    pg_target_release(&target);
    buf_release(&sql);
    return rc;
}
