/* SPDX-License-Identifier: MIT */
/*
 * The driver of the steps: the list follows from the model and the mode alone, stands in the
 * ledger, and those that are not crossed off are done, several at a time.
 */
#include "sinks/postgres/finish/finish.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/postgres/finish/lanes.h"

enum rc pg_query_run(struct pg_run *r, const char *sql, PGresult **out, struct err *err)
{
    char run[24];
    const char *params[] = {run};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    return pg_query(r->pg, sql, params, 1, out, err);
}

/* Are all segments of the run done, whoever does them, and what did they count? One snapshot: the
   rows may be on their way from the unlogged table to the logged one. */
static enum rc sums_once(struct pg_run *r, bool *done, uint64_t *counters, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_exec(r->pg, "BEGIN ISOLATION LEVEL REPEATABLE READ", err);
    if (!rc && !r->already)
        rc = pg_ledger_whole(r, err);
    if (!rc)
        rc = pg_query_run(r, r->stmts[PG_STMT_OPEN], &res, err);
    if (!rc)
        *done = r->loaded || pg_number(res, 0, 0) == pg_number(res, 0, 1);
    PQclear(res);
    if (!rc && *done)
        rc = pg_ledger_counters(r, counters, err);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

/* Nobody works on what is not done: whoever did has gone, or a crash of the server has taken the
   end of a load that was committed without synchronous_commit. */
static enum rc left_undone(struct pg_run *r, struct err *err)
{
    r->gone = true;
    err_set(
        err, RC_TRANSIENT,
        "segments of run %lld are not done and nobody works on them: a process has gone, or "
        "the server has forgotten commits",
        r->run);
    return err_hint(err, "run the same command again: it does what was left");
}

/* RC_AGAIN: some segments are nobody's. */
static enum rc find_left(struct pg_run *r, struct claim_list *left, struct err *err)
{
    char run[24], process[24], lease[24];
    const char *params[] = {run, process, lease};
    PGresult *res = NULL;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    (void)snprintf(process, sizeof process, "%d", r->process);
    (void)snprintf(lease, sizeof lease, "%u", r->opts.lease_s);
    enum rc rc = pg_query(r->pg, r->stmts[PG_STMT_LEFT], params, 3, &res, err);
    size_t n = rc ? 0 : (size_t)PQntuples(res);
    uint32_t *grown = n ? realloc(r->left, n * sizeof *grown) : NULL;
    if (n && !grown)
        rc = err_nomem(err);
    if (grown) {
        r->left = grown;
        for (size_t i = 0; i < n; i++)
            grown[i] = (uint32_t)pg_number(res, (int)i, 0);
        *left = (struct claim_list){grown, n};
        rc = RC_AGAIN;
    }
    PQclear(res);
    return rc;
}

/*
 * Looks for others first: what is not done afterwards, with none of them alive, nobody will do. Nor
 * what belongs to one that has gone, for the others wait as we do: RC_AGAIN, it is in *left.
 */
static enum rc look_around(struct pg_run *r, bool *done, uint64_t *counters,
                           struct claim_list *left, struct err *err)
{
    bool live = false;
    struct buf who;
    buf_init(&who, 4096);
    enum rc rc = pg_run_reconnect(r, err);
    if (!rc)
        rc = pg_heartbeat_others(r, r->run, &live, &who, err);
    if (!rc)
        rc = sums_once(r, done, counters, err);
    buf_release(&who);
    if (rc || *done)
        return rc;
    if (left)
        return find_left(r, left, err);
    return live ? RC_OK : left_undone(r, err);
}

enum rc pg_sums(struct pg_run *r, uint64_t *counters, struct claim_list *left, struct err *err)
{
    int64_t until = pg_retry_until(r);
    for (;;) {
        bool done = false;
        enum rc rc = look_around(r, &done, counters, left, err);
        if (rc == RC_AGAIN || (!rc && done))
            return rc;
        if (rc && !pg_try_again(r, until, err))
            return err->rc;
        if (!rc) {
            until = pg_retry_until(r);
            r->env->sleep_us(r->env->ctx, 100000);
        }
        if (pg_stopped(r))
            return pg_interrupted(err);
    }
}

/* The row of the run is locked. Once its steps are listed the load is over for good; before that,
   what was done a moment ago must still be. */
static enum rc still_done(struct pg_run *r, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc =
        pg_query_run(r, "SELECT loaded FROM renorm.run WHERE run = $1 FOR UPDATE", &res, err);
    bool loaded = !rc && PQntuples(res) == 1 && str_is(pg_text(res, 0, 0), "t");
    PQclear(res);
    res = NULL;
    if (rc || loaded)
        return rc;
    rc = pg_ledger_whole(r, err);
    if (!rc)
        rc = pg_query_run(r, r->stmts[PG_STMT_OPEN], &res, err);
    if (!rc && pg_number(res, 0, 0) != pg_number(res, 0, 1))
        rc = left_undone(r, err);
    PQclear(res);
    return rc;
}

/* An element of an array; unlike a name it may be of any length. */
static void add_quoted(struct buf *b, struct str text)
{
    buf_putc(b, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\')
            buf_putc(b, '\\');
        buf_putc(b, text.p[i]);
    }
    buf_putc(b, '"');
}

/* Behind those that are listed already, perhaps by an earlier renorm: it counted all tables in one. */
static enum rc list_step(struct pg_run *r, const struct pg_step *step, struct buf *names,
                         struct err *err)
{
    static const char sql[] =
        "INSERT INTO renorm.step (run, step, name, started, finished) "
        "SELECT $1, (SELECT coalesce(max(step) + 1, 0) FROM renorm.step WHERE run = $1), $2, "
        "f, f "
        "FROM (SELECT max(finished) FILTER (WHERE name = 'count' AND $3) AS f FROM renorm.step "
        "WHERE run = $1) AS earlier "
        "WHERE NOT EXISTS (SELECT FROM renorm.step WHERE run = $1 AND name = $2)";
    char run[24];
    struct buf name;
    bool count = step->kind == PG_STEP_COUNT || step->kind == PG_STEP_REJECTS;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    buf_init(&name, 4096);
    pg_step_name(&name, r, step);
    buf_putc(names, names->len ? ',' : '{');
    add_quoted(names, buf_view(&name));
    const char *params[] = {run, buf_cstr(&name), count ? "t" : "f"};
    enum rc rc = buf_check(&name, err);
    if (!rc)
        rc = pg_query(r->pg, sql, params, 3, NULL, err);
    buf_release(&name);
    return rc;
}

/* What an earlier renorm listed and this one does otherwise. */
static enum rc forget_others(struct pg_run *r, struct buf *names, struct err *err)
{
    char run[24];
    (void)snprintf(run, sizeof run, "%lld", r->run);
    buf_puts(names, names->len ? "}" : "{}");
    const char *params[] = {run, buf_cstr(names)};
    enum rc rc = buf_check(names, err);
    if (rc)
        return rc;
    return pg_query(r->pg,
                    "DELETE FROM renorm.step WHERE run = $1 AND finished IS NULL AND "
                    "NOT name = ANY ($2::text[])",
                    params, 2, NULL, err);
}

static enum rc list_once(struct pg_run *r, const struct pg_steps *steps, struct err *err)
{
    struct buf names;
    buf_init(&names, 1 << 26);
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc)
        rc = still_done(r, err);
    for (uint32_t i = 0; !rc && i < steps->n; i++)
        rc = list_step(r, &steps->v[i], &names, err);
    if (!rc)
        rc = forget_others(r, &names, err);
    if (!rc) {
        char sql[96];
        (void)snprintf(sql, sizeof sql, "UPDATE renorm.run SET loaded = true WHERE run = %lld",
                       r->run);
        rc = pg_exec(r->pg, sql, err);
    }
    buf_release(&names);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

static enum rc list_steps(struct pg_run *r, const struct pg_steps *steps, struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err)) {
        rc = pg_settle(r, r->staging.text, err);
        if (!rc)
            rc = list_once(r, steps, err);
        /* rows that were dropped since are told by the steps, not by the segments */
        if (!rc)
            rc = pg_ledger_counters(r, r->counters, err);
    }
    return rc;
}

static void count_in(struct pg_run *r, const struct pg_step *step, uint64_t amount,
                     struct sink_report *report)
{
    if (step->kind == PG_STEP_DUPLICATES) {
        report->duplicates += amount;
    } else if (step->kind == PG_STEP_FOREIGN) {
        report->orphans += amount;
        pg_reasons_orphans(r, step->table, step->ref, amount);
    } else if (step->kind == PG_STEP_MIRRORS) {
        report->missing_mirrors += amount;
    } else if (step->kind == PG_STEP_REDUCE) {
        report->conflicts += amount;
    }
}

static enum rc walk_steps(struct pg_run *r, const struct pg_steps *steps,
                          struct sink_report *report, struct err *err)
{
    uint64_t *amounts = calloc((size_t)steps->n + 1, sizeof *amounts);
    if (!amounts)
        return err_nomem(err);
    enum rc rc = pg_lanes_walk(r, steps, amounts, err);
    for (uint32_t i = 0; i < steps->n; i++)
        count_in(r, &steps->v[i], amounts[i], report);
    free(amounts);
    if (!rc && r->unlogged && r->opts.mode == PG_REPLACE) {
        r->unlogged = false;
        rc = pg_stmts_make(r, err);
    }
    return rc;
}

/* The main connection may have been lost while the lanes had theirs. */
static enum rc read_totals(struct pg_run *r, struct sink_report *report, struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = pg_totals_read(r, report, err);
    return rc;
}

enum rc pg_finish(struct pg_run *r, struct verdict *v, struct sink_report *report,
                  struct err *err)
{
    (void)v;
    struct pg_steps steps = {0};
    enum rc rc = pg_run_reconnect(r, err);
    if (!rc && (r->published || r->already))
        return read_totals(r, report, err);
    pg_stop_watch(r, true);
    if (!rc)
        rc = pg_steps_make(&steps, r, err);
    if (!rc)
        rc = list_steps(r, &steps, err);
    if (!rc)
        rc = walk_steps(r, &steps, report, err);
    if (!rc)
        rc = read_totals(r, report, err);
    free(steps.v);
    return pg_unless_stopped(r, rc, err);
}
