/* SPDX-License-Identifier: MIT */
/*
 * Finding the run in the ledger: there is at most one unfinished run for a target schema, and it
 * is resumed, joined or refused. The decision is made in one transaction under an advisory lock
 * named after the target, so that two processes started together agree.
 */
#include <stdlib.h>
#include <string.h>

#include "pipeline/run/succession.h"
#include "sinks/postgres/ledger/ledger_find.h"
#include "sinks/postgres/ledger/make_run.h"
#include "sinks/postgres/postgres_private.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

void pg_ledger_name_run(struct pg_run *r, long long run)
{
    char text[40];
    r->run = run;
    (void)snprintf(text, sizeof text, "renorm_run_%lld", run);
    r->staging = pg_name_fit(str_of(text), NULL);
}

/* The statement with "renorm.segment" pointing to the table this run keeps its segments in. */
static char *aim(const char *sql, bool unlogged)
{
    static const char name[] = "renorm.segment";
    struct buf b;
    buf_init(&b, 1 << 20);
    for (const char *at = strstr(sql, name); at; at = strstr(sql, name)) {
        buf_add(&b, sql, (size_t)(at - sql) + sizeof name - 1);
        if (unlogged)
            buf_puts(&b, "_unlogged");
        sql = at + sizeof name - 1;
    }
    buf_puts(&b, sql);
    char *out = b.rc ? NULL : strdup(buf_cstr(&b));
    buf_release(&b);
    return out;
}

enum rc pg_stmts_make(struct pg_run *r, struct err *err)
{
    static const char *const texts[PG_STMTS] = {
        [PG_STMT_CLAIM] = sql_claim,
        [PG_STMT_DONE] = sql_segment_done,
        [PG_STMT_REFENCE] = sql_segment_refence,
        [PG_STMT_COMMIT] = sql_segment_commit,
        [PG_STMT_SUMS] = sql_segment_sums,
        [PG_STMT_OPEN] = sql_segment_open,
        [PG_STMT_INSERT] = sql_segments_insert,
        [PG_STMT_LEFT] = sql_segments_left,
    };
    for (int i = 0; i < PG_STMTS; i++) {
        free(r->stmts[i]);
        r->stmts[i] = aim(texts[i], r->unlogged);
        if (r->stmts[i] == NULL)
            return err_nomem(err);
    }
    return RC_OK;
}

static const char *mode_name(enum pg_mode mode)
{
    static const char *const names[] = {"replace", "append", "merge"};
    return names[mode];
}

/* What of the ledger's run differs from ours; NULL if nothing. */
static const char *difference(const struct pg_run *r, const struct run_info *info,
                              const PGresult *run)
{
    if (!str_eq(pg_text(run, 0, 4), info->model_hash))
        return "model";
    if (!str_eq(pg_text(run, 0, 5), info->source_identity))
        return "source";
    if (!str_eq(pg_text(run, 0, 6), buf_view(&r->options)))
        return "set of options";
    if (!str_is(pg_text(run, 0, 1), mode_name(r->opts.mode)))
        return "mode";
    return NULL;
}

static enum rc refuse_other(const struct pg_run *r, const PGresult *run, const char *what,
                            struct err *err)
{
    err_set(err, RC_USAGE, "the unfinished run %s of \"%s\", begun %s from %s, has another %s",
            PQgetvalue(run, 0, 0), r->schema_name.text, PQgetvalue(run, 0, 10),
            PQgetvalue(run, 0, 11), what);
    return err_hint(err, "--restart abandons it and drops what it has loaded");
}

/* Whether another process has made the run a logged one since we looked. */
static enum rc look_logged(struct pg_run *r, const char *run, struct err *err)
{
    const char *params[] = {run};
    PGresult *res = NULL;
    enum rc rc =
        pg_query(r->pg, "SELECT unlogged FROM renorm.run WHERE run = $1", params, 1, &res, err);
    if (!rc && PQntuples(res) == 1 && str_is(pg_text(res, 0, 0), "f")) {
        r->unlogged = false;
        rc = pg_stmts_make(r, err);
    }
    PQclear(res);
    return rc;
}

enum rc pg_ledger_emptied(struct err *err)
{
    err_set(err, RC_TRANSIENT, "the server crashed, and the unlogged load with it");
    return err_hint(err, "run the same command again: it begins anew");
}

enum rc pg_ledger_whole(struct pg_run *r, struct err *err)
{
    char number[24];
    const char *params[] = {number};
    PGresult *res = NULL;
    (void)snprintf(number, sizeof number, "%lld", r->run);
    enum rc rc = r->unlogged ? look_logged(r, number, err) : RC_OK;
    if (rc || !r->unlogged)
        return rc;
    rc = pg_query(r->pg, r->stmts[PG_STMT_OPEN], params, 1, &res, err);
    if (!rc && pg_number(res, 0, 2) == 0) {
        r->gone = true;
        rc = pg_ledger_emptied(err);
    }
    PQclear(res);
    return rc;
}

/* A run that an earlier version began has no table for what goes to `extra`, nor for many keys. */
static enum rc have_extras(struct pg_run *r, struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 16);
    pg_extras_table(&sql, r);
    if (!r->loaded)
        pg_keys_table(&sql, r);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

static enum rc resume(struct pg_run *r, const PGresult *run, struct run_state *state,
                      struct err *err)
{
    char number[24];
    const char *params[] = {number};
    PGresult *res = NULL;
    pg_ledger_name_run(r, pg_number(run, 0, 0));
    (void)snprintf(number, sizeof number, "%lld", r->run);
    state->resumed = true;
    state->now_us = pg_number(run, 0, 7);
    state->segments = (uint32_t)pg_number(run, 0, 8);
    r->loaded = str_is(pg_text(run, 0, 3), "t");
    r->unlogged = str_is(pg_text(run, 0, 9), "t");
    enum rc rc = pg_stmts_make(r, err);
    if (!rc)
        rc = pg_query(r->pg, r->stmts[PG_STMT_OPEN], params, 1, &res, err);
    if (!rc && pg_number(res, 0, 2) == 0) {
        r->loaded = false;
        rc = pg_begin_again(r, err);
    } else if (!rc) {
        rc = have_extras(r, err);
        state->complete = r->loaded || (state->segments > 0 &&
                                        pg_number(res, 0, 0) == (long long)state->segments);
    }
    PQclear(res);
    return rc;
}

/* The load is in, but some of the tables it went to are not: adding it would double the others. */
static enum rc refuse_half(const struct pg_run *r, const PGresult *found, struct err *err)
{
    err_set(err, RC_USAGE,
            "run %s has appended this source to \"%s\" at %s, and %lld of its %lld tables have "
            "been replaced or dropped since",
            PQgetvalue(found, 0, 0), r->schema_name.text, PQgetvalue(found, 0, 1),
            pg_number(found, 0, 5) - pg_number(found, 0, 4), pg_number(found, 0, 5));
    return err_hint(err, "--again appends it to all of them");
}

static enum rc take_found(struct pg_run *r, const PGresult *found, struct run_state *state,
                          struct err *err)
{
    pg_ledger_name_run(r, pg_number(found, 0, 0));
    state->resumed = state->complete = true;
    state->segments = (uint32_t)pg_number(found, 0, 3);
    r->unlogged = str_is(pg_text(found, 0, 2), "t");
    r->loaded = r->already = true;
    return pg_stmts_make(r, err);
}

static enum rc find_appended(struct pg_run *r, const struct run_info *info, PGresult **found,
                             struct err *err)
{
    char age[24];
    struct arena a;
    struct buf names;
    arena_init(&a, 4096);
    buf_init(&names, 1 << 20);
    pg_table_names(&names, r->schema);
    (void)snprintf(age, sizeof age, "%lld", (long long)info->same_us);
    const char *params[] = {r->schema_name.text,
                            arena_cstr(&a, info->model_hash),
                            buf_cstr(&r->options),
                            arena_cstr(&a, info->source_identity),
                            age,
                            buf_cstr(&names)};
    enum rc rc = pg_query(r->pg, sql_appended_find, params, 6, found, err);
    buf_release(&names);
    arena_release(&a);
    return rc;
}

/*
 * No run is unfinished. Rows that are appended are there for good, and whoever asks for them again
 * may not know that they are: the process that published them was killed, or another one did it.
 * So a load is appended once, unless the operator says --again. Where rows replace others, doing it
 * twice does no harm, and the source may have changed. The identity of a live table does not say
 * what it holds: there only a run that was published a short while ago can be the one meant.
 */
static enum rc begin_or_find(struct pg_run *r, const struct run_info *info,
                             struct run_state *state, struct err *err)
{
    PGresult *res = NULL;
    long long there = 0;
    if (r->opts.mode != PG_APPEND || r->opts.again || !info->resumable)
        return pg_begin_run(r, info, err);
    enum rc rc = find_appended(r, info, &res, err);
    if (!rc && PQntuples(res) == 1)
        there = pg_number(res, 0, 4);
    if (!rc && there == 0) {
        rc = pg_begin_run(r, info, err);
    } else if (!rc && there < pg_number(res, 0, 5)) {
        rc = refuse_half(r, res, err);
    } else if (!rc) {
        rc = take_found(r, res, state, err);
    }
    PQclear(res);
    return rc;
}

/* The unfinished run gives way to a new one. */
static enum rc supersede(struct pg_run *r, const struct run_info *info, const PGresult *run,
                         const char *why, struct run_state *state, struct err *err)
{
    enum rc rc = pg_abandon(r, pg_number(run, 0, 0), err);
    if (!rc)
        rc = begin_or_find(r, info, state, err);
    return rc ? rc : pg_supersede(r, info, run, why, err);
}

/* Nobody is at work on it. */
static enum rc follow(struct pg_run *r, const struct run_info *info, const PGresult *run,
                      struct run_state *state, struct err *err)
{
    const char *other = difference(r, info, run);
    const char *why = "--restart";
    struct predecessor was = {.same = !other,
                              .held = str_is(pg_text(run, 0, 2), "held"),
                              .resumable = true,
                              .source_us = pg_number(run, 0, 12),
                              .began_us = pg_number(run, 0, 7),
                              .judged = pg_text(run, 0, 13)};
    switch (info->restart ? SUCCESSION_ANEW : succession(info, &was, &why)) {
    case SUCCESSION_RESUME:
        return resume(r, run, state, err);
    case SUCCESSION_ANEW:
        return supersede(r, info, run, why, state, err);
    case SUCCESSION_REFUSE:
        break;
    }
    return refuse_other(r, run, other, err);
}

/* Decides between resuming, joining, replacing and refusing. */
static enum rc decide(struct pg_run *r, const struct run_info *info, const PGresult *run,
                      struct run_state *state, struct err *err)
{
    struct buf who;
    bool live = false;
    const char *other = difference(r, info, run);
    buf_init(&who, 4096);
    enum rc rc = pg_heartbeat_others(r, pg_number(run, 0, 0), &live, &who, err);
    if (!rc && live && (other || info->restart || !r->opts.join)) {
        rc = err_set(err, RC_TRANSIENT, "run %s of \"%s\" is under way on %s",
                     PQgetvalue(run, 0, 0), r->schema_name.text, buf_cstr(&who));
        err_hint(err, "wait for it, or help it with --join (same model, source and options)");
    } else if (!rc && live) {
        rc = resume(r, run, state, err);
    } else if (!rc) {
        rc = follow(r, info, run, state, err);
    }
    buf_release(&who);
    return rc;
}

static enum rc find_run(struct pg_run *r, const struct run_info *info, struct run_state *state,
                        struct err *err)
{
    PGresult *res = NULL;
    int version = 0;
    const char *params[] = {r->schema_name.text};
    enum rc rc = pg_exec(r->pg, "BEGIN", err);
    if (!rc) {
        rc = pg_query(r->pg, "SELECT pg_advisory_xact_lock(1919249007, hashtext($1))", params,
                      1, NULL, err);
    }
    if (!rc)
        rc = pg_query(r->pg, sql_run_find, params, 1, &res, err);
    if (!rc && PQntuples(res) == 0) {
        rc = begin_or_find(r, info, state, err);
    } else if (!rc) {
        rc = decide(r, info, res, state, err);
    }
    PQclear(res);
    if (!rc && !r->already)
        rc = pg_heartbeat_begin(r, err);
    /* an upgrade looks for living processes: from here on we are one, and look for upgrades */
    if (!rc)
        rc = pg_ledger_version(r->pg, &version, err);
    struct err ignored;
    if (rc) {
        (void)!pg_exec(r->pg, "ROLLBACK", &ignored);
    } else {
        rc = pg_exec(r->pg, "COMMIT", err);
    }
    return rc;
}

enum rc pg_ledger_counters(struct pg_run *r, uint64_t *sums, struct err *err)
{
    char number[24];
    const char *params[] = {number};
    PGresult *res = NULL;
    uint32_t n = schema_counters(r->schema);
    (void)snprintf(number, sizeof number, "%lld", r->run);
    enum rc rc = pg_query(r->pg, r->stmts[PG_STMT_SUMS], params, 1, &res, err);
    if (rc)
        return rc;
    memset(sums, 0, n * sizeof *sums);
    for (int i = 0; i < PQntuples(res); i++) {
        long long at = pg_number(res, i, 0);
        if (at >= 1 && at <= (long long)n)
            sums[at - 1] = (uint64_t)pg_number(res, i, 1);
    }
    PQclear(res);
    return RC_OK;
}

enum rc pg_ledger_open(struct pg_run *r, const struct run_info *info, struct run_state *state,
                       struct err *err)
{
    memset(state, 0, sizeof *state);
    state->now_us = info->now_us;
    state->segments = info->segments;
    buf_init(&r->options, 1 << 20);
    buf_add_str(&r->options, info->options);
    if (r->opts.no_constraints)
        buf_puts(&r->options, " no-constraints");
    r->counters = calloc(schema_counters(r->schema), sizeof *r->counters);
    r->heard = calloc((size_t)r->schema->ntables + 1, sizeof *r->heard);
    if (r->counters == NULL || r->heard == NULL)
        return err_nomem(err);
    state->counters = r->counters;
    enum rc rc = pg_run_connect(r, r->opts.open_s, err);
    if (!rc)
        rc = pg_ledger_prepare(r, info->version, err);
    if (!rc)
        rc = find_run(r, info, state, err);
    if (!rc)
        rc = pg_ledger_counters(r, r->counters, err);
    if (!rc && state->resumed)
        state->resumed_items = r->counters[CNT_READ];
    return rc;
}
