/* SPDX-License-Identifier: MIT */
/*
 * A constraint that the rows keep is cheaper to build than to check and then build: so it is tried
 * first, and what stands in its way is looked for only if it fails.
 */
#include <string.h>

#include "sinks/postgres/finish/finish.h"

static bool is_one_of(const char *state, const char *const *states)
{
    for (; *states; states++) {
        if (strcmp(state, *states) == 0)
            return true;
    }
    return false;
}

enum rc pg_try_first(struct pg_run *r, struct buf *sql, const char *const *states, bool *done,
                     struct err *err)
{
    enum rc rc = buf_check(sql, err);
    if (!rc)
        rc = pg_exec(r->pg, "SAVEPOINT tried_first", err);
    if (rc)
        return rc;
    PGresult *res = PQexec(r->pg, buf_cstr(sql));
    *done = PQresultStatus(res) == PGRES_COMMAND_OK;
    if (!*done && !is_one_of(pg_state(res), states))
        rc = pg_fail(r->pg, res, err);
    PQclear(res);
    if (rc)
        return rc;
    return pg_exec(
        r->pg, *done ? "RELEASE SAVEPOINT tried_first" : "ROLLBACK TO SAVEPOINT tried_first",
        err);
}

enum rc pg_try_index(struct pg_run *r, struct buf *sql, uint32_t table, struct pg_outcome *out,
                     struct err *err)
{
    static const char *const states[] = {"54000", NULL};
    bool built = false;
    enum rc rc = pg_try_first(r, sql, states, &built, err);
    if (rc || built)
        return rc;
    rc = pg_check_long(r, table, out, err);
    return rc ? rc : pg_exec_buf(r->pg, sql, err);
}

enum rc pg_has_constraint(struct pg_run *r, uint32_t table, const struct pg_name *name,
                          bool *there, struct err *err)
{
    struct pg_name of = pg_name_fit(r->schema->tables[table].name, NULL);
    const char *params[] = {r->staging.text, of.text, name->text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg,
                          "SELECT count(*) FROM pg_catalog.pg_constraint AS k "
                          "JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid "
                          "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
                          "WHERE n.nspname = $1 AND c.relname = $2 AND k.conname = $3",
                          params, 3, &res, err);
    *there = !rc && pg_number(res, 0, 0) > 0;
    PQclear(res);
    return rc;
}
