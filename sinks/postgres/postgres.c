/* SPDX-License-Identifier: MIT */
/*
 * The run level of the PostgreSQL sink: options, and the thin functions behind the interface. The
 * work is done next door: ledger/ (the run), load/ (rows), finish/, publish/.
 */
#include "sinks/postgres/postgres.h"

#include <stdlib.h>
#include <string.h>

#include "sinks/postgres/postgres_private.h"

static struct pg_run *run_of(struct sink *s)
{
    return (struct pg_run *)s;
}

/* Schemas of the server, and those that this program makes. */
static bool is_reserved(struct str schema)
{
    return schema.n == 0 || str_starts(schema, STR("pg_")) ||
           str_is(schema, "information_schema") || str_is(schema, "renorm") ||
           str_starts(schema, STR("renorm_run_")) || str_starts(schema, STR("renorm_old_"));
}

static enum rc sink_open(struct sink *s, const struct run_info *info, struct run_state *state,
                         struct err *err)
{
    struct pg_run *r = run_of(s);
    r->schema = info->schema;
    r->stop = info->stop;
    r->workers = info->workers;
    r->judged = info->judged;
    r->schema_name =
        pg_name_fit(r->opts.schema ? str_of(r->opts.schema) : info->schema->name, NULL);
    r->with_pos = !r->opts.no_constraints;
    if (is_reserved(pg_name_view(&r->schema_name))) {
        return err_set(err, RC_USAGE, "\"%s\" cannot be the schema of the tables",
                       r->schema_name.text);
    }
    enum rc rc = pg_ddl_check(info->schema, err);
    if (!rc)
        rc = pg_ledger_open(r, info, state, err);
    r->opened = !rc;
    return rc;
}

static enum rc sink_claim(struct sink *s, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    return pg_claim(run_of(s), segment, claim, err);
}

static struct sink_worker *sink_worker(struct sink *s, uint32_t index, struct err *err)
{
    return pg_worker_new(run_of(s), index, err);
}

static enum rc sink_sums(struct sink *s, uint64_t *counters, struct claim_list *left,
                         struct err *err)
{
    return pg_sums(run_of(s), counters, left, err);
}

static enum rc sink_extras(struct sink *s, struct extras *out, struct err *err)
{
    return pg_extras_read(run_of(s), out, err);
}

static enum rc sink_profile_last(struct sink *s, struct buf *json, struct err *err)
{
    return pg_shape_last(run_of(s), json, err);
}

static enum rc sink_profile_keep(struct sink *s, struct str json, struct err *err)
{
    return pg_shape_keep(run_of(s), json, err);
}

static enum rc sink_finish(struct sink *s, struct verdict *v, struct sink_report *report,
                           struct err *err)
{
    return pg_finish(run_of(s), v, report, err);
}

static enum rc sink_publish(struct sink *s, struct verdict *v, struct sink_report *report,
                            struct err *err)
{
    return pg_publish(run_of(s), v, report, err);
}

static enum rc sink_shown(struct sink *s, struct shown *out, struct err *err)
{
    return pg_shown(run_of(s), out, err);
}

static enum rc sink_hold(struct sink *s, const struct verdict *v, struct sink_report *report,
                         struct err *err)
{
    return pg_hold(run_of(s), v, report, err);
}

static void sink_explain(struct sink *s, struct sink_report *report)
{
    pg_reasons_read(run_of(s), report);
}

static void sink_close(struct sink *s)
{
    struct pg_run *r = run_of(s);
    pg_heartbeat_end(r);
    PQfinish(r->pg);
    PQfreeCancel(r->cancel);
    (void)pthread_mutex_destroy(&r->cancel_mu);
    pg_target_release(&r->target);
    for (int i = 0; i < PG_STMTS; i++)
        free(r->stmts[i]);
    for (uint32_t i = 0; i < r->nsegments; i++)
        buf_release(&r->segments[i].resume);
    free(r->segments);
    free(r->counters);
    free(r->heard);
    free(r->left);
    buf_release(&r->options);
    reasons_release(&r->reasons);
    reasons_release(&r->orphans);
    (void)pthread_mutex_destroy(&r->mu);
    (void)pthread_mutex_destroy(&r->pg_mu);
    free(r);
}

static enum rc check_options(const struct pg_options *o, struct err *err)
{
    static const char *const levels[] = {"on", "off", "local", "remote_write", "remote_apply"};
    bool known = o->synchronous_commit == NULL;
    for (size_t i = 0; !known && i < sizeof levels / sizeof *levels; i++)
        known = strcmp(o->synchronous_commit, levels[i]) == 0;
    if (!known) {
        return err_set(err, RC_USAGE,
                       "synchronous_commit is on, off, local, remote_write or remote_apply");
    }
    if (o->delete_missing && o->mode != PG_MERGE)
        return err_set(err, RC_USAGE, "--delete-missing goes with --mode merge only");
    if (o->again && o->mode != PG_APPEND)
        return err_set(err, RC_USAGE, "--again goes with --mode append only");
    if (o->no_constraints && o->mode == PG_MERGE)
        return err_set(err, RC_USAGE, "--mode merge needs keys: not with --no-constraints");
    return RC_OK;
}

enum rc pg_sink_open(const struct pg_options *opts, struct sink **out, struct err *err)
{
    static const struct sink_ops ops = {
        .open = sink_open,
        .claim = sink_claim,
        .worker = sink_worker,
        .sums = sink_sums,
        .extras = sink_extras,
        .profile_last = sink_profile_last,
        .profile_keep = sink_profile_keep,
        .finish = sink_finish,
        .shown = sink_shown,
        .publish = sink_publish,
        .hold = sink_hold,
        .explain = sink_explain,
        .close = sink_close,
    };
    *out = NULL;
    enum rc rc = check_options(opts, err);
    if (rc)
        return rc;
    struct pg_run *r = calloc(1, sizeof *r);
    if (r == NULL)
        return err_nomem(err);
    r->sink = (struct sink){.ops = &ops, .kind = "postgresql", .keyless = opts->no_constraints};
    r->sink.effect = opts->mode == PG_APPEND                           ? SINK_ADDS
                     : opts->mode == PG_MERGE && !opts->delete_missing ? SINK_MERGES
                                                                       : SINK_REPLACES;
    r->opts = *opts;
    r->env = opts->env ? opts->env : &env_real;
    if (r->opts.duplicates == PG_DUP_DEFAULT)
        r->opts.duplicates = opts->mode == PG_MERGE ? PG_DUP_LAST : PG_DUP_FAIL;
    (void)pthread_mutex_init(&r->mu, NULL);
    (void)pthread_mutex_init(&r->pg_mu, NULL);
    (void)pthread_mutex_init(&r->cancel_mu, NULL);
    rc = pg_target_init(&r->target, opts->conninfo, opts->synchronous_commit, r->opts.lease_s,
                        err);
    if (rc) {
        sink_close(&r->sink);
        return rc;
    }
    *out = &r->sink;
    return RC_OK;
}

static int find_name(struct str name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        if (str_is(name, names[i]))
            return i;
    }
    return -1;
}

bool pg_mode_parse(struct str name, enum pg_mode *out)
{
    static const char *const names[] = {"replace", "append", "merge"};
    int i = find_name(name, names, 3);
    if (i >= 0)
        *out = (enum pg_mode)i;
    return i >= 0;
}

bool pg_orphans_parse(struct str name, enum pg_orphans *out)
{
    static const char *const names[] = {"keep", "fail"};
    int i = find_name(name, names, 2);
    if (i >= 0)
        *out = (enum pg_orphans)i;
    return i >= 0;
}

bool pg_duplicates_parse(struct str name, enum pg_duplicates *out)
{
    static const char *const names[] = {"default", "fail", "first", "last"};
    int i = find_name(name, names, 4);
    if (i > 0)
        *out = (enum pg_duplicates)i;
    return i > 0;
}
