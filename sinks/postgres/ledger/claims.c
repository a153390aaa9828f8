/* SPDX-License-Identifier: MIT */
/*
 * Claims: segments this process works on. A claim raises the segment's epoch, which shuts out
 * whoever held it before; the list here remembers the epoch a worker must show with each commit.
 */
#include <stdlib.h>
#include <string.h>

#include "sinks/postgres/postgres_private.h"
#include "sql.inc"

/* A commit of the run's own connection is durable, and so is all that went before it: the rows
   themselves may be less careful (--synchronous-commit off). */
enum rc pg_run_connect(struct pg_run *r, unsigned seconds, struct err *err)
{
    int64_t until = r->env->mono_us(r->env->ctx) + (int64_t)seconds * 1000000;
    enum rc rc;
    do {
        rc = pg_connect(&r->target, "renorm", &r->pg, err);
    } while (rc && pg_try_again(r, until, err));
    pg_stop_aim(r);
    r->claim_ready = false;
    if (rc)
        return err->rc;
    rc = pg_exec(r->pg,
                 "SELECT set_config('synchronous_commit', 'on', false) "
                 "WHERE current_setting('synchronous_commit') = 'off'",
                 err);
    return rc || !r->session ? rc : pg_exec(r->pg, r->session, err);
}

enum rc pg_run_reconnect(struct pg_run *r, struct err *err)
{
    if (r->pg && PQstatus(r->pg) == CONNECTION_OK) {
        struct err ignored;
        /* a statement inside the transaction may have failed: it is rolled back */
        if (PQtransactionStatus(r->pg) != PQTRANS_IDLE)
            (void)!pg_exec(r->pg, "ROLLBACK", &ignored);
        return RC_OK;
    }
    PQfinish(r->pg);
    r->pg = NULL;
    pg_stop_aim(r);
    return pg_run_connect(r, r->opts.retry_s, err);
}

/* A single statement that may be repeated: tried again while the trouble may heal. */
static enum rc query_patient(struct pg_run *r, const char *sql, const char *const *params,
                             int n, PGresult **out, struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = pg_query(r->pg, sql, params, n, out, err);
    return rc;
}

/* A run has many segments: their claim is parsed and planned once a connection. */
static enum rc claim_once(struct pg_run *r, const char *const *params, PGresult **out,
                          struct err *err)
{
    static const char NAME[] = "renorm_claim";
    PGresult *res = NULL;
    if (!r->claim_ready) {
        res = PQprepare(r->pg, NAME, r->stmts[PG_STMT_CLAIM], 0, NULL);
        if (PQresultStatus(res) == PGRES_COMMAND_OK) {
            r->claim_ready = true;
            PQclear(res);
            res = NULL;
        }
    }
    if (r->claim_ready)
        res = PQexecPrepared(r->pg, NAME, 4, params, NULL, NULL, 0);
    if (PQresultStatus(res) == PGRES_TUPLES_OK) {
        *out = res;
        return RC_OK;
    }
    enum rc rc = pg_fail(r->pg, res, err);
    PQclear(res);
    return rc;
}

static enum rc claim_patient(struct pg_run *r, const char *const *params, PGresult **out,
                             struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = claim_once(r, params, out, err);
    return rc;
}

/* lock: r->mu */
static struct pg_segment *segment_at(struct pg_run *r, uint32_t segment)
{
    if (segment >= r->nsegments) {
        uint32_t n = segment + 1 > r->nsegments * 2 ? segment + 1 : r->nsegments * 2;
        struct pg_segment *grown = realloc(r->segments, n * sizeof *grown);
        if (grown == NULL)
            return NULL;
        memset(grown + r->nsegments, 0, (n - r->nsegments) * sizeof *grown);
        r->segments = grown;
        r->nsegments = n;
    }
    return &r->segments[segment];
}

static enum rc take(struct pg_run *r, uint32_t segment, const PGresult *res,
                    struct claim *claim, struct err *err)
{
    struct pg_segment *s = segment_at(r, segment);
    size_t n = 0;
    if (s == NULL)
        return err_nomem(err);
    unsigned char *bytes = PQunescapeBytea((const unsigned char *)PQgetvalue(res, 0, 1), &n);
    if (bytes == NULL)
        return err_nomem(err);
    if (s->resume.max == 0)
        buf_init(&s->resume, 1 << 24);
    buf_clear(&s->resume);
    buf_add(&s->resume, bytes, n);
    PQfreemem(bytes);
    s->claimed = s->epoch = (uint32_t)pg_number(res, 0, 0);
    s->commits = (uint64_t)pg_number(res, 0, 2);
    s->items = (uint64_t)pg_number(res, 0, 3);
    claim->state = CLAIM_MINE;
    claim->epoch = s->epoch;
    claim->resume = buf_view(&s->resume);
    return buf_check(&s->resume, err);
}

/* Of a segment that could not be taken: somebody has it, or a crash has emptied the table. */
static enum rc whose(struct pg_run *r, const char *const *params, struct claim *claim,
                     struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = query_patient(r, r->stmts[PG_STMT_DONE], params, 2, &res, err);
    bool none = !rc && PQntuples(res) == 0;
    bool done = !rc && !none && str_is(pg_text(res, 0, 0), "t");
    claim->state = done ? CLAIM_DONE : CLAIM_OTHER;
    PQclear(res);
    if (!none || !r->unlogged)
        return rc;
    rc = query_patient(r, sql_emptied, params, 1, &res, err);
    if (!rc && PQntuples(res) == 1)
        rc = pg_ledger_emptied(err);
    PQclear(res);
    return rc;
}

enum rc pg_claim(struct pg_run *r, uint32_t segment, struct claim *claim, struct err *err)
{
    char run[24], number[24], process[24], lease[24];
    const char *params[] = {run, number, process, lease};
    PGresult *res = NULL;
    memset(claim, 0, sizeof *claim);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    (void)snprintf(number, sizeof number, "%u", segment);
    (void)snprintf(process, sizeof process, "%d", r->process);
    (void)snprintf(lease, sizeof lease, "%u", r->opts.lease_s);
    (void)pthread_mutex_lock(&r->pg_mu);
    enum rc rc = claim_patient(r, params, &res, err);
    if (!rc && PQntuples(res) == 0)
        rc = whose(r, params, claim, err);
    (void)pthread_mutex_unlock(&r->pg_mu);
    if (!rc && PQntuples(res) == 1) {
        (void)pthread_mutex_lock(&r->mu);
        rc = take(r, segment, res, claim, err);
        (void)pthread_mutex_unlock(&r->mu);
    }
    PQclear(res);
    return rc;
}
