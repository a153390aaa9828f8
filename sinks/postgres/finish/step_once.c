/* SPDX-License-Identifier: MIT */
/*
 * One step, done once: the transaction that does it crosses it off. A step that fails in a way that
 * may heal is tried again on a new connection.
 */
#include <string.h>

#include "sinks/postgres/finish/steps.h"

/*
 * Takes the step for this transaction; *finished if there is nothing left to do. It is known by its
 * name: an earlier renorm may have listed the steps in another order.
 */
static enum rc take_step(struct pg_run *r, const char *name, bool *finished,
                         struct pg_outcome *out, struct err *err)
{
    char run[24];
    const char *params[] = {run, name};
    PGresult *res = NULL;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc) {
        rc = pg_query(r->pg,
                      "SELECT finished IS NOT NULL, amount FROM renorm.step "
                      "WHERE run = $1 AND name = $2 FOR UPDATE",
                      params, 2, &res, err);
    }
    if (!rc && PQntuples(res) != 1) {
        rc = err_set(err, RC_TRANSIENT, "the ledger has lost step \"%.100s\" of run %lld", name,
                     r->run);
        r->gone = true;
        err_hint(err, "run the same command again: it does what was left");
    }
    if (!rc) {
        *finished = str_is(pg_text(res, 0, 0), "t");
        out->amount = (uint64_t)pg_number(res, 0, 1);
    }
    PQclear(res);
    return rc;
}

static enum rc cross_off(struct pg_run *r, const char *name, uint64_t amount, struct err *err)
{
    char run[24], count[24];
    const char *params[] = {run, name, count};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    (void)snprintf(count, sizeof count, "%llu", (unsigned long long)amount);
    return pg_query(r->pg,
                    "UPDATE renorm.step SET started = now(), finished = clock_timestamp(), "
                    "amount = $3 WHERE run = $1 AND name = $2",
                    params, 3, NULL, err);
}

static enum rc step_once(struct pg_run *r, const struct pg_step *step, const char *name,
                         struct pg_outcome *out, struct err *err)
{
    bool finished = false;
    memset(out, 0, sizeof *out);
    enum rc rc = take_step(r, name, &finished, out, err);
    if (!rc && !finished) {
        out->amount = 0;
        rc = pg_ledger_whole(r, err);
        if (!rc)
            rc = pg_step_run(r, step, out, err);
        if (!rc)
            rc = cross_off(r, name, out->amount, err);
    }
    /* the examples that a refusal found stay in the ledger for people to look at */
    struct err ended;
    if (!rc || out->refused) {
        enum rc commit = pg_exec(r->pg, "COMMIT", &ended);
        if (!rc && commit) {
            *err = ended;
            return commit;
        }
    }
    return rc;
}

enum rc pg_step_once(struct pg_run *r, const struct pg_step *step, struct pg_outcome *out,
                     struct err *err)
{
    struct pg_attempts attempts = {0};
    struct buf name;
    buf_init(&name, 4096);
    pg_step_name(&name, r, step);
    enum rc rc = RC_OK;
    memset(out, 0, sizeof *out);
    while (!out->refused && pg_attempts_next(&attempts, r, &rc, err))
        rc = step_once(r, step, buf_cstr(&name), out, err);
    if (rc && rc != RC_CANCEL && !out->refused)
        err_context(err, "step \"%s\"", buf_cstr(&name));
    buf_release(&name);
    return rc;
}
