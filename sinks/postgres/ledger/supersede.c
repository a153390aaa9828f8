/* SPDX-License-Identifier: MIT */
/* A run that gives way stays in the ledger as abandoned, and says to which and why. */
#include "sinks/postgres/finish/finish.h"

static enum rc note(struct pg_run *r, long long old, const char *why, struct err *err)
{
    char gone[24], run[24];
    const char *params[] = {gone, run, why};
    (void)snprintf(gone, sizeof gone, "%lld", old);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    return pg_query(r->pg,
                    "UPDATE renorm.run SET superseded_by = $2, held = NULL, why = "
                    "'superseded by run ' || $2::bigint || ': ' || $3 || "
                    "coalesce('; it was held: ' || why, '') WHERE run = $1",
                    params, 3, NULL, err);
}

enum rc pg_supersede(struct pg_run *r, const struct run_info *info, const PGresult *run,
                     const char *why, struct err *err)
{
    char told[160];
    long long old = pg_number(run, 0, 0);
    enum rc rc = note(r, old, why, err);
    if (!rc && !info->restart) {
        (void)snprintf(told, sizeof told, "run %lld, begun %s, gives way: %s", old,
                       PQgetvalue(run, 0, 10), why);
        sink_doing(&r->sink, told);
    }
    return rc;
}

/* What cannot be looked up is not worth failing for: the ledger has it. */
void pg_tell_superseded(struct pg_run *r, struct sink_report *report)
{
    PGresult *res = NULL;
    struct err ignored;
    enum rc rc = pg_query_run(r,
                              "SELECT run, why FROM renorm.run WHERE superseded_by = $1 "
                              "ORDER BY run",
                              &res, &ignored);
    for (int i = 0; !rc && i < PQntuples(res); i++)
        sink_note(report, "run %s was %.500s", PQgetvalue(res, i, 0), PQgetvalue(res, i, 1));
    PQclear(res);
}
