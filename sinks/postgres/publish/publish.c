/* SPDX-License-Identifier: MIT */
/*
 * Showing a run to readers: one transaction, which also sets the run published, so that it happens
 * once. It asks for its locks with a short time-out and comes back later, rather than make
 * everybody queue behind it.
 */
#include <string.h>

#include "pipeline/row/schema_json.h"
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

static enum rc already_published(struct pg_run *r, bool *yes, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc =
        pg_query_run(r, "SELECT state FROM renorm.run WHERE run = $1 FOR UPDATE", &res, err);
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
             "UPDATE renorm.run SET state = 'published', finished = clock_timestamp(), "
             "why = NULL, held = NULL WHERE run = %lld;",
             r->run);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/* Behind the rows themselves, and with them: so they are added once. */
static enum rc note_appended(struct pg_run *r, struct err *err)
{
    char run[24];
    struct buf names;
    buf_init(&names, 1 << 20);
    pg_table_names(&names, r->schema);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    const char *params[] = {run, buf_cstr(&names)};
    enum rc rc = pg_query(r->pg, sql_appended_insert, params, 2, NULL, err);
    buf_release(&names);
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
    PGresult *res = NULL;
    enum rc rc = pg_query_run(r,
                              "SELECT coalesce(jsonb_agg(o), '[]') FROM renorm.orphan AS o "
                              "WHERE run = $1",
                              &res, err);
    if (!rc)
        rc = pg_exec(r->pg, "ROLLBACK; BEGIN", err);
    if (!rc)
        rc = pg_query_run(r, "DELETE FROM renorm.orphan WHERE run = $1", NULL, err);
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

static enum rc publish_once(struct pg_run *r, struct verdict *v, struct sink_report *report,
                            struct err *err)
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
            rc = r->opts.mode == PG_REPLACE ? pg_swap(r, err) : pg_merge(r, v, report, err);
        if (!rc && r->opts.mode == PG_APPEND)
            rc = note_appended(r, err);
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

static enum rc publish_patient(struct pg_run *r, struct verdict *v, struct sink_report *report,
                               struct err *err)
{
    struct pg_attempts attempts = {0};
    const struct sink_report before = *report;
    const struct verdict unheld = *v;
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err)) {
        *report = before;
        *v = unheld;
        rc = publish_once(r, v, report, err);
    }
    if (rc)
        report->deleted = before.deleted;
    return rc;
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
    if (rc)
        sink_note(report, "old runs stay in the ledger until the next load: %.300s", why.msg);
}

static void tell(const struct pg_run *r, struct sink_report *report)
{
    if (r->opts.keep_old && r->opts.mode == PG_REPLACE) {
        sink_note(report, "the tables that were replaced are in schema \"renorm_old_%lld\"",
                  r->run);
    }
    if (r->already) {
        sink_note(report,
                  "run %lld has appended this source already; nothing was added again "
                  "(--again would)",
                  r->run);
    }
}

static enum rc hold_once(struct pg_run *r, const struct verdict *v, struct err *err)
{
    static const char sql[] =
        "UPDATE renorm.run SET state = 'held', why = $2, held = jsonb_build_object("
        "'judged', $3::text, 'tables', $4::jsonb, 'delete_missing', $5::boolean, 'keep_old', "
        "$6::boolean, 'duplicates', $7::int, 'no_constraints', $8::boolean) "
        "WHERE run = $1 AND state IN ('loading', 'held')";
    char run[24], duplicates[12];
    struct buf judged, tables;
    buf_init(&judged, 1 << 16);
    buf_init(&tables, BUF_NO_LIMIT);
    buf_add_str(&judged, r->judged);
    schema_json_write(&tables, r->schema);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    (void)snprintf(duplicates, sizeof duplicates, "%d", (int)r->opts.duplicates);
    const char *params[] = {run,
                            v->why,
                            buf_cstr(&judged),
                            buf_cstr(&tables),
                            r->opts.delete_missing ? "t" : "f",
                            r->opts.keep_old ? "t" : "f",
                            duplicates,
                            r->opts.no_constraints ? "t" : "f"};
    enum rc rc = buf_check(&tables, err);
    if (!rc)
        rc = pg_query(r->pg, sql, params, 8, NULL, err);
    buf_release(&judged);
    buf_release(&tables);
    return rc;
}

enum rc pg_hold(struct pg_run *r, const struct verdict *v, struct sink_report *report,
                struct err *err)
{
    struct pg_attempts attempts = {0};
    enum rc rc = RC_OK;
    while (pg_attempts_next(&attempts, r, &rc, err))
        rc = hold_once(r, v, err);
    pg_stop_watch(r, false);
    if (rc)
        return rc;
    report->held = true;
    pg_tell_superseded(r, report);
    sink_note(report, "run %lld is held; renorm.reject has what became no rows", r->run);
    return RC_OK;
}

enum rc pg_publish(struct pg_run *r, struct verdict *v, struct sink_report *report,
                   struct err *err)
{
    enum rc rc = pg_run_reconnect(r, err);
    if (!rc && !r->already)
        rc = publish_patient(r, v, report, err);
    pg_stop_watch(r, false);
    if (!rc) {
        r->published = report->published = true;
        tell(r, report);
        pg_tell_superseded(r, report);
        prune(r, report);
    }
    if (rc == RC_CANCEL)
        return rc;
    return rc ? err_context(err, "publishing") : RC_OK;
}
