/* SPDX-License-Identifier: MIT */
/*
 * A ledger has a version. Whoever comes to write makes the ledger that is missing, and takes an
 * older one up step by step: in one transaction, under the lock that lets a single process look
 * for the ledger at a time. So a ledger is of one version or of the next, never between.
 *
 * Processes of the older renorm read the ledger as they knew it. While one of them lives no step is
 * taken; LOCK TABLE keeps new ones from entering until the transaction ends, and those of this
 * renorm look at the version once more after they have entered.
 *
 * A new version is a file sql/ledger_N_to_M.sql, a row here, PG_LEDGER_VERSION, and the same made
 * from nothing in sql/ledger.sql: tests/pg/36_upgrade.sh compares the two. A step that makes tables
 * takes back what default privileges give on them. Status and verify read older ledgers as they
 * are, for a standby cannot be upgraded: what they ask for must stand in all versions.
 */
#include <stdio.h>

#include "sinks/postgres/ddl/grants.h"
#include "sinks/postgres/ledger/ledger_find.h"
#include "sinks/postgres/postgres_private.h"
#include "sql.inc"

static const struct ledger_step {
    int from, to;
    const char *sql;
    const char *made; /* an array of the tables it makes; NULL: none */
} STEPS[] = {
    {1, 2, sql_ledger_1_to_2, NULL},
    {2, 3, sql_ledger_2_to_3, "{shape,appended}"},
    {3, 4, sql_ledger_3_to_4, NULL},
};

/* Writes down that the ledger is of this version now. */
static enum rc sign(PGconn *pg, int version, const char *renorm, struct err *err)
{
    char number[16];
    const char *params[] = {number, renorm};
    (void)snprintf(number, sizeof number, "%d", version);
    return pg_query(pg, "INSERT INTO renorm.ledger (version, renorm) VALUES ($1, $2)", params,
                    2, NULL, err);
}

static enum rc make(PGconn *pg, const char *renorm, struct err *err)
{
    enum rc rc = pg_exec(pg, sql_ledger, err);
    if (!rc)
        rc = pg_exec(pg, sql_ledger_results, err);
    if (!rc)
        rc = pg_grants_away(pg, "renorm", NULL, err);
    return rc ? rc : sign(pg, PG_LEDGER_VERSION, renorm, err);
}

/* The ledger may be changed only while nobody works in it, and nobody can begin to. */
static enum rc keep_others_out(PGconn *pg, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_exec(pg, "LOCK TABLE renorm.process IN SHARE ROW EXCLUSIVE MODE", err);
    if (!rc)
        rc = pg_query(pg, sql_ledger_in_use, NULL, 0, &res, err);
    if (!rc && PQntuples(res) > 0) {
        rc = err_set(err, RC_TRANSIENT,
                     "the ledger in schema \"renorm\" is of an earlier version, and run %s "
                     "works in it on %s since %s",
                     PQgetvalue(res, 0, 0), PQgetvalue(res, 0, 1), PQgetvalue(res, 0, 2));
        err_hint(err, "run the same command again when that has ended: it upgrades the ledger");
    }
    PQclear(res);
    return rc;
}

static enum rc upgrade(PGconn *pg, int version, const char *renorm, struct err *err)
{
    enum rc rc = keep_others_out(pg, err);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && !rc; i++) {
        if (STEPS[i].from != version)
            continue;
        rc = pg_exec(pg, STEPS[i].sql, err);
        if (!rc && STEPS[i].made)
            rc = pg_grants_away(pg, "renorm", STEPS[i].made, err);
        version = STEPS[i].to;
        if (!rc)
            rc = sign(pg, version, renorm, err);
        if (rc)
            err_context(err, "cannot upgrade the ledger to version %d", version);
    }
    return rc;
}

/* *was: the version of an older ledger, which is upgraded now; else 0. */
static enum rc make_or_upgrade(PGconn *pg, const char *renorm, int *was, struct err *err)
{
    bool there = false;
    int version = 0;
    enum rc rc = pg_ledger_find(pg, true, &there, err);
    if (rc)
        return rc;
    if (!there)
        return make(pg, renorm, err);
    rc = pg_ledger_version(pg, &version, err);
    if (rc || version == PG_LEDGER_VERSION)
        return rc;
    *was = version;
    return upgrade(pg, version, renorm, err);
}

enum rc pg_ledger_prepare(struct pg_run *r, const char *renorm, struct err *err)
{
    int was = 0;
    char told[64];
    struct err ignored;
    enum rc rc = pg_exec(r->pg, "BEGIN; SELECT pg_advisory_xact_lock(1919249007, 0)", err);
    if (!rc)
        rc = make_or_upgrade(r->pg, renorm ? renorm : "", &was, err);
    if (rc) {
        (void)!pg_exec(r->pg, "ROLLBACK", &ignored);
    } else {
        rc = pg_exec(r->pg, "COMMIT", err);
    }
    if (!rc && was) {
        (void)snprintf(told, sizeof told, "ledger upgraded from version %d to %d", was,
                       PG_LEDGER_VERSION);
        sink_doing(&r->sink, told);
    }
    return rc;
}
