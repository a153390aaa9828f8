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
