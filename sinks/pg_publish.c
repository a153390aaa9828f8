/* SPDX-License-Identifier: MIT */
/*
 * Showing a run to readers: one transaction, which also sets the run published, so that it happens
 * once. It asks for its locks with a short time-out and comes back later, rather than make
 * everybody queue behind it.
 */
#include <string.h>

#include "sinks/pg_target.h"
#include "sql.inc"

static enum rc already_published(struct pg_run *r, bool *yes, struct err *err)
{
    char run[24];
    const char *params[] = {run};
    PGresult *res = NULL;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_query(r->pg, "SELECT state FROM renorm.run WHERE run = $1 FOR UPDATE",
                          params, 1, &res, err);
    if (!rc && PQntuples(res) != 1)
        rc = err_set(err, RC_SINK, "run %lld has gone from the ledger", r->run);
    if (!rc && str_is(pg_text(res, 0, 0), "abandoned"))
        rc = err_set(err, RC_SINK, "run %lld was abandoned by another process", r->run);
    *yes = !rc && str_is(pg_text(res, 0, 0), "published");
    PQclear(res);
    return rc;
}

static enum rc end_run(struct pg_run *r, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 16);
    buf_puts(&sql, "DROP SCHEMA IF EXISTS ");
    pg_add_ident(&sql, pg_name_view(&r->staging));
    buf_addf(&sql,
             " CASCADE;"
             "UPDATE renorm.run SET state = 'published', finished = clock_timestamp() "
             "WHERE run = %lld;",
             r->run);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

static enum rc make_schema(struct pg_run *r, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 4096);
    buf_puts(&sql, "CREATE SCHEMA IF NOT EXISTS ");
    pg_add_ident(&sql, pg_name_view(&r->schema_name));
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/*
 * Publishing was refused, and all of it is undone but for the list of orphans, which people need
 * to see: it is taken out of the transaction and written again behind it.
 */
static enum rc keep_orphans(struct pg_run *r, struct err *err)
{
    char run[24];
    const char *by_run[] = {run};
    PGresult *res = NULL;
    (void)snprintf(run, sizeof run, "%lld", r->run);
    enum rc rc = pg_query(r->pg,
                          "SELECT coalesce(jsonb_agg(o), '[]') FROM renorm.orphan AS o "
                          "WHERE run = $1",
                          by_run, 1, &res, err);
    if (!rc)
        rc = pg_exec(r->pg, "ROLLBACK; BEGIN", err);
    if (!rc)
        rc = pg_query(r->pg, "DELETE FROM renorm.orphan WHERE run = $1", by_run, 1, NULL, err);
    if (!rc) {
        const char *list[] = {PQgetvalue(res, 0, 0)};
        rc = pg_query(r->pg,
                      "INSERT INTO renorm.orphan SELECT * FROM "
                      "jsonb_populate_recordset(NULL::renorm.orphan, $1::jsonb)",
                      list, 1, NULL, err);
    }
    PQclear(res);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

static enum rc publish_once(struct pg_run *r, struct sink_report *report, struct err *err)
{
    bool done = false;
    enum rc rc = pg_exec(r->pg, "BEGIN; SET LOCAL lock_timeout = '3s'", err);
    if (!rc)
        rc = already_published(r, &done, err);
    if (!rc && !done) {
        rc = pg_ledger_whole(r, err);
        if (!rc)
            rc = make_schema(r, err);
        if (!rc)
            rc = r->opts.mode == PG_REPLACE ? pg_swap(r, err) : pg_merge(r, report, err);
        if (!rc)
            rc = end_run(r, err);
    }
    struct err ignored;
    if (rc == RC_FINISHED_BAD && PQtransactionStatus(r->pg) == PQTRANS_INTRANS)
        (void)!keep_orphans(r, &ignored);
    if (rc && PQtransactionStatus(r->pg) == PQTRANS_INTRANS)
        (void)!pg_exec(r->pg, "ROLLBACK", &ignored);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

static enum rc publish_patient(struct pg_run *r, struct sink_report *report, struct err *err)
{
    int64_t until = pg_patience(r);
    struct sink_report before = *report;
    enum rc rc;
    do {
        rc = pg_run_reconnect(r, err);
        *report = before;
        if (!rc)
            rc = publish_once(r, report, err);
    } while (rc && pg_try_again(r, until, err));
    return rc ? err->rc : RC_OK;
}

/*
 * Old runs leave the ledger; what they loaded is not touched. The run itself is published: no
 * trouble here is a reason to call for it again, nor to wait long.
 */
static void prune(struct pg_run *r, struct sink_report *report)
{
    char keep[24];
    const char *params[] = {r->schema_name.text, keep};
    struct err why;
    (void)snprintf(keep, sizeof keep, "%u", r->opts.keep_runs);
    enum rc rc = pg_exec(r->pg, "SET lock_timeout = '3s'", &why);
    if (!rc)
        rc = pg_query(r->pg, sql_prune, params, 2, NULL, &why);
    size_t n = strlen(report->note);
    if (rc) {
        (void)snprintf(report->note + n, sizeof report->note - n,
                       "%sold runs stay in the ledger until the next load: %.300s",
                       n ? "\n" : "", why.msg);
    }
}

static void tell(const struct pg_run *r, struct sink_report *report)
{
    if (r->opts.keep_old && r->opts.mode == PG_REPLACE) {
        (void)snprintf(report->note, sizeof report->note,
                       "the tables that were replaced are in schema \"renorm_old_%lld\"",
                       r->run);
    }
    if (r->unheard) {
        (void)snprintf(report->note, sizeof report->note,
                       "run %lld was published already, by a process that did not live to "
                       "say so; nothing was added again",
                       r->run);
    }
}

static enum rc hold(struct pg_run *r, const struct verdict *v, struct sink_report *report,
                    struct err *err)
{
    char sql[128];
    (void)snprintf(
        sql, sizeof sql,
        "UPDATE renorm.run SET state = 'held' WHERE run = %lld AND state = 'loading'", r->run);
    report->held = true;
    (void)snprintf(
        report->note, sizeof report->note,
        "run %lld is held: %llu items rejected, %llu unrouted; readers still see what "
        "was there before\nsee renorm.reject; the same command with a higher "
        "--max-rejects or --max-unrouted publishes it, --restart drops it",
        r->run, (unsigned long long)v->rejected, (unsigned long long)v->unrouted);
    return pg_exec(r->pg, sql, err);
}

enum rc pg_publish(struct pg_run *r, const struct verdict *v, struct sink_report *report,
                   struct err *err)
{
    enum rc rc = pg_run_reconnect(r, err);
    if (!rc && v->above_allowance && r->opts.mode != PG_APPEND)
        return hold(r, v, report, err);
    if (!rc)
        rc = publish_patient(r, report, err);
    pg_stop_watch(r, false);
    if (!rc) {
        r->published = report->published = true;
        tell(r, report);
        prune(r, report);
    }
    if (rc == RC_CANCEL)
        return rc;
    return rc ? err_context(err, "publishing") : RC_OK;
}
