/* SPDX-License-Identifier: MIT */
/* Is there a ledger, and one this program can read? Asked before any statement that uses it. */
#include "sinks/postgres/ledger/ledger_find.h"

#include "sql.inc"

enum { OLDER = -2, FOREIGN = -1, MIN_SERVER = 120000 };

static enum rc check_server(const PGresult *res, struct err *err)
{
    if (!str_is(pg_text(res, 0, 1), "UTF8")) {
        err_set(err, RC_USAGE, "the database's encoding is %s, not UTF8",
                PQgetvalue(res, 0, 1));
        return err_hint(err, "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0");
    }
    if (pg_number(res, 0, 3) < MIN_SERVER)
        return err_set(err, RC_USAGE, "the server is older than PostgreSQL 12");
    if (str_is(pg_text(res, 0, 2), "on")) {
        err_set(err, RC_USAGE, "the server is read-only (SQLSTATE 25006)");
        return err_hint(err, "connect to the primary (target_session_attrs=read-write)");
    }
    return RC_OK;
}

static enum rc refuse_foreign(struct err *err)
{
    err_set(err, RC_USAGE, "schema \"renorm\" exists, but is not a ledger of this program");
    return err_hint(err,
                    "the ledger lives in a schema of that name: rename or drop the other one");
}

static enum rc refuse_version(const char *is, struct err *err)
{
    err_set(err, RC_USAGE, "the ledger in schema \"renorm\" was made by %s version of renorm",
            is);
    return err_hint(err,
                    "use that version, or rename the schema: a new ledger is made then, to "
                    "which the tables loaded so far are strangers");
}

/* One that tells by which. */
static enum rc refuse_newer(const char *by, struct err *err)
{
    err_set(err, RC_USAGE,
            "the ledger in schema \"renorm\" was made by another version of renorm: %s", by);
    return err_hint(err,
                    "use renorm %s or a later one, or rename the schema: a new ledger is made "
                    "then, to which the tables loaded so far are strangers",
                    by);
}

enum rc pg_ledger_version(PGconn *pg, int *version, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_query(pg, sql_ledger_version, NULL, 0, &res, err);
    long long found = !rc && PQntuples(res) == 1 ? pg_number(res, 0, 0) : 0;
    bool known = found >= 1 && found <= PG_LEDGER_VERSION;
    *version = known ? (int)found : 0;
    if (!rc && !known && PQntuples(res) == 1 && PQgetlength(res, 0, 1) > 0) {
        rc = refuse_newer(PQgetvalue(res, 0, 1), err);
    } else if (!rc && !known) {
        rc = refuse_version("another", err);
    }
    PQclear(res);
    return rc;
}

enum rc pg_ledger_find(PGconn *pg, bool to_write, bool *there, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_query(pg, sql_ledger_find, NULL, 0, &res, err);
    long long found = rc ? 0 : pg_number(res, 0, 0);
    *there = found > 0;
    if (!rc && to_write)
        rc = check_server(res, err);
    PQclear(res);
    if (rc)
        return rc;
    if (found == FOREIGN)
        return refuse_foreign(err);
    if (found == OLDER)
        return refuse_version("an earlier", err);
    int version = 0;
    return *there ? pg_ledger_version(pg, &version, err) : RC_OK;
}
