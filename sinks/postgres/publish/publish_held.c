/* SPDX-License-Identifier: MIT */
/*
 * A held run is finished: its tables stand, and the ledger says under `held` what they are and how
 * they were to be shown. Whoever publishes it takes the run as the next process would, so that no
 * other one does the same.
 */
#include "sinks/postgres/publish/publish_held.h"

#include <stdlib.h>

#include "pipeline/row/schema_json.h"
#include "sinks/postgres/finish/steps.h"
#include "sinks/postgres/ledger/ledger_find.h"

enum field {
    RUN,
    TARGET,
    MODE,
    WHY,
    UNLOGGED,
    TABLES,
    DELETE,
    KEEP,
    DUPLICATES,
    BARE,
    BEGAN,
    SOURCE
};

static enum rc find_ledger(struct pg_run *r, const char *renorm, struct err *err)
{
    bool there = false;
    enum rc rc = pg_run_connect(r, r->opts.open_s, err);
    if (!rc)
        rc = pg_ledger_find(r->pg, true, &there, err);
    if (!rc && !there) {
        rc = err_set(err, RC_USAGE, "this database has no ledger");
        err_hint(err, "\"renorm export\" makes it with its first run");
    }
    return rc ? rc : pg_ledger_prepare(r, renorm, err);
}

/* The held run, one row. */
static enum rc find_run(struct pg_run *r, PGresult **out, struct err *err)
{
    static const char sql[] =
        "SELECT run, target, mode, why, unlogged, held ->> 'tables', held ->> "
        "'delete_missing', "
        "held ->> 'keep_old', held ->> 'duplicates', held ->> 'no_constraints', "
        "to_char(started, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), source_text "
        "FROM renorm.run WHERE state = 'held' AND ($1::text IS NULL OR target = $1) ORDER BY "
        "run";
    const char *params[] = {r->opts.schema};
    enum rc rc = pg_query(r->pg, sql, params, 1, out, err);
    if (rc || PQntuples(*out) == 1)
        return rc;
    if (PQntuples(*out) > 1) {
        (void)err_set(err, RC_USAGE, "%d runs are held, of \"%s\" and \"%s\"", PQntuples(*out),
                      PQgetvalue(*out, 0, TARGET), PQgetvalue(*out, 1, TARGET));
        return err_hint(err, "name one of them with --schema");
    }
    (void)err_set(err, RC_USAGE, "no run%s%s%s is held", r->opts.schema ? " of \"" : "",
                  r->opts.schema ? r->opts.schema : "", r->opts.schema ? "\"" : "");
    return err_hint(err, "\"renorm status\" tells of all runs");
}

static bool is(const PGresult *res, enum field field, const char *value)
{
    return str_is(pg_text(res, 0, field), value);
}

/* The run becomes what it was for the process that held it; orphans were counted and are known. */
static enum rc take_over(struct pg_run *r, const PGresult *res, struct schema *schema,
                         struct arena *a, struct err *err)
{
    if (PQgetisnull(res, 0, TABLES)) {
        (void)err_set(err, RC_USAGE, "run %s was held by an earlier renorm",
                      PQgetvalue(res, 0, RUN));
        return err_hint(err, "the command that made it shows it, with a higher allowance");
    }
    enum rc rc = schema_json_read(pg_text(res, 0, TABLES), a, schema, err);
    pg_ledger_name_run(r, pg_number(res, 0, RUN));
    r->schema = schema;
    r->schema_name = pg_name_fit(pg_text(res, 0, TARGET), NULL);
    r->unlogged = is(res, UNLOGGED, "t");
    r->loaded = true;
    r->opts.delete_missing = is(res, DELETE, "true");
    r->opts.keep_old = is(res, KEEP, "true");
    r->opts.no_constraints = is(res, BARE, "true");
    r->opts.orphans = PG_ORPHANS_KEEP;
    r->opts.duplicates = (enum pg_duplicates)pg_number(res, 0, DUPLICATES);
    if (!pg_mode_parse(pg_text(res, 0, MODE), &r->opts.mode))
        rc = err_set(err, RC_SINK, "the ledger has a run of an unknown mode");
    return rc ? rc : pg_stmts_make(r, err);
}

/* What the server itself refused lacks steps: there are no tables that could be shown. */
static enum rc check_steps(struct pg_run *r, const char *why, struct err *err)
{
    PGresult *res = NULL;
    enum rc rc = pg_query_run(
        r, "SELECT FROM renorm.step WHERE run = $1 AND finished IS NULL LIMIT 1", &res, err);
    if (!rc && PQntuples(res) > 0) {
        rc = err_set(err, RC_USAGE, "run %lld is not finished: %.400s", r->run, why);
        err_hint(err,
                 "the command that made it goes on with it, with --duplicates or --orphans "
                 "if that is why it is held");
    }
    PQclear(res);
    return rc;
}

/* Under the lock that any process takes to decide about the runs of a target. */
static enum rc claim(struct pg_run *r, const char *why, struct err *err)
{
    const char *params[] = {r->schema_name.text};
    PGresult *res = NULL;
    struct buf who;
    bool live = false;
    buf_init(&who, 4096);
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc) {
        rc = pg_query(r->pg, "SELECT pg_advisory_xact_lock(1919249007, hashtext($1))", params,
                      1, NULL, err);
    }
    if (!rc)
        rc = pg_heartbeat_others(r, r->run, &live, &who, err);
    if (!rc && live)
        rc = err_set(err, RC_TRANSIENT, "run %lld is under way on %s", r->run, buf_cstr(&who));
    if (!rc) {
        rc = pg_query_run(r, "SELECT FROM renorm.run WHERE run = $1 AND state = 'held'", &res,
                          err);
    }
    if (!rc && PQntuples(res) != 1)
        rc = err_set(err, RC_TRANSIENT, "run %lld is not held any more", r->run);
    if (!rc)
        rc = check_steps(r, why, err);
    if (!rc)
        rc = pg_heartbeat_begin(r, err);
    PQclear(res);
    buf_release(&who);
    return rc ? rc : pg_exec(r->pg, "COMMIT", err);
}

static void tell(const struct pg_run *r, const PGresult *was, const struct sink_report *report,
                 struct buf *text)
{
    buf_addf(text, "shown: run %s of schema \"%s\", begun %s from %s\n",
             PQgetvalue(was, 0, RUN), PQgetvalue(was, 0, TARGET), PQgetvalue(was, 0, BEGAN),
             PQgetvalue(was, 0, SOURCE));
    buf_addf(text, "it was held: %s\n", PQgetvalue(was, 0, WHY));
    for (uint32_t i = 0; i < r->schema->ntables; i++) {
        buf_addf(text, "%-30.*s %12llu rows\n", STR_FMT(r->schema->tables[i].name),
                 (unsigned long long)report->tables[i].rows);
    }
    buf_puts(text, report->note);
}

static enum rc publish(struct pg_run *r, const PGresult *was, struct buf *text, struct err *err)
{
    struct verdict none = {0};
    struct sink_report report = {0};
    report.tables = calloc((size_t)r->schema->ntables + 1, sizeof *report.tables);
    if (!report.tables)
        return err_nomem(err);
    enum rc rc = pg_totals_read(r, &report, err);
    if (!rc)
        rc = pg_publish(r, &none, &report, err);
    if (!rc)
        tell(r, was, &report, text);
    free(report.tables);
    return rc ? rc : buf_check(text, err);
}

enum rc pg_publish_held(const struct pg_options *opts, const char *renorm, struct buf *text,
                        struct err *err)
{
    struct sink *sink = NULL;
    struct schema schema;
    struct arena a;
    PGresult *res = NULL;
    enum rc rc = pg_sink_open(opts, &sink, err);
    if (rc)
        return rc;
    struct pg_run *r = (struct pg_run *)sink;
    arena_init(&a, 4096);
    rc = find_ledger(r, renorm, err);
    if (!rc)
        rc = find_run(r, &res, err);
    if (!rc)
        rc = take_over(r, res, &schema, &a, err);
    if (!rc)
        rc = claim(r, PQgetvalue(res, 0, WHY), err);
    if (!rc)
        rc = publish(r, res, text, err);
    PQclear(res);
    sink->ops->close(sink);
    arena_release(&a);
    return rc;
}
