/* SPDX-License-Identifier: MIT */
/*
 * The last run of a target is not always the one to ask for: a run of some entities (--only) leaves the
 * tables of the others as they are, with what an earlier run said of them.
 */
#include "sinks/postgres/read/run_of_tables.h"

#include "sinks/postgres/ledger/ledger_find.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

static enum rc no_run(const char *target, struct err *err)
{
    err_set(err, RC_USAGE, "nothing was published to schema \"%s\"", target);
    return err_hint(err, "--schema names another one; \"renorm status\" lists the runs");
}

static enum rc several_runs(const char *target, struct err *err)
{
    err_set(err, RC_USAGE, "the tables of schema \"%s\" were made by several runs", target);
    return err_hint(err, "verify those of one run with its --only");
}

enum rc pg_run_of_tables(PGconn *pg, const char *target, const struct schema *of,
                         PGresult **out, struct err *err)
{
    struct pg_name schema = pg_name_fit(str_of(target), NULL);
    struct buf tables;
    bool there = false;
    buf_init(&tables, 1 << 20);
    pg_table_names(&tables, of);
    const char *params[] = {schema.text, buf_cstr(&tables)};
    enum rc rc = pg_ledger_find(pg, false, &there, err);
    if (!rc && !there)
        rc = no_run(target, err);
    if (!rc)
        rc = pg_query(pg, sql_run_of_tables, params, 2, out, err);
    buf_release(&tables);
    if (!rc && PQntuples(*out) == 0)
        rc = no_run(target, err);
    if (!rc && str_is(pg_text(*out, 0, 7), "t"))
        rc = several_runs(target, err);
    return rc;
}
