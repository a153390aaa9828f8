/* SPDX-License-Identifier: MIT */
/*
 * Turns options of the command line into those of the PostgreSQL sink and its readers. A word that
 * could be a path as well is refused: what it meant would depend on who reads it.
 */
#include "cmd/open/database_address.h"

#include <string.h>
#include <sys/stat.h>

#include "cmd/version.h"
#include "sinks/postgres/ddl/ddl.h"
#include "sinks/postgres/ledger/ledger_status.h"
#include "sinks/postgres/postgres.h"
#include "sinks/postgres/publish/publish_held.h"
#include "sinks/postgres/read/reject_source.h"
#include "sinks/postgres/read/rows_of_database.h"
#include "sinks/postgres/wire/conninfo.h"

/* A word with a password in it is not shown. */
static enum rc either(const char *word, struct err *err)
{
    const char *shown = strstr(word, "password") || strchr(word, ' ') ? "..." : word;
    (void)err_set(err, RC_USAGE, "\"%s\" could be a path or a connection string", shown);
    return err_hint(err, "write \"./%s\" for the path, postgresql://... for the database",
                    shown);
}

enum rc database_accepts(const char *word, bool *yes, struct err *err)
{
    struct stat st;
    enum pg_conninfo is = PG_CONNINFO_NO;
    enum rc rc = pg_conninfo(word, &is, err);
    *yes = is != PG_CONNINFO_NO;
    if (rc || !*yes)
        return rc;
    bool there = !strstr(word, "://") && stat(word, &st) == 0;
    return is == PG_CONNINFO_MAYBE || there ? either(word, err) : RC_OK;
}

static enum rc run_number(const struct options *o, long long *out, struct err *err)
{
    unsigned long long run = 0;
    if (o->run && !str_uint(str_of(o->run), &run))
        return err_set(err, RC_USAGE, "--run takes a number, not \"%s\"", o->run);
    *out = (long long)run;
    return RC_OK;
}

enum rc database_rejects(struct job *job, const char *const *words, size_t n,
                         const struct options *o, struct err *err)
{
    (void)n;
    long long run = 0;
    enum rc rc = run_number(o, &run, err);
    return rc ? rc : pg_source_open(words[0], run, &job->source, err);
}

static enum rc bad_value(const char *option, const char *value, struct err *err)
{
    return err_set(err, RC_USAGE, "--%s does not take \"%s\"", option, value);
}

enum rc database_sink(const char *word, const struct options *o, struct sink **out,
                      struct err *err)
{
    /* A wrong host name should be told soon; a connection that was lost is worth a longer wait. */
    uint64_t given = o->retry_seconds;
    struct pg_options opts = {.conninfo = word,
                              .schema = o->schema,
                              .delete_missing = o->delete_missing,
                              .no_constraints = o->no_constraints,
                              .unlogged = o->unlogged,
                              .synchronous_commit = o->synchronous_commit,
                              .keep_old = o->keep_old,
                              .again = o->again,
                              .join = o->join,
                              .keep_runs = (uint32_t)o->keep_runs,
                              .commit_mb = (uint32_t)o->commit_mb,
                              .retry_s = (uint32_t)(given ? given : OPTION_RETRY_SECONDS),
                              .open_s = (uint32_t)(given ? given : OPTION_CONNECT_SECONDS),
                              .lease_s = (uint32_t)o->lease_seconds};
    if (o->mode && !pg_mode_parse(str_of(o->mode), &opts.mode))
        return bad_value("mode", o->mode, err);
    if (o->orphans && !pg_orphans_parse(str_of(o->orphans), &opts.orphans))
        return bad_value("orphans", o->orphans, err);
    if (o->duplicates && !pg_duplicates_parse(str_of(o->duplicates), &opts.duplicates))
        return bad_value("duplicates", o->duplicates, err);
    return pg_sink_open(&opts, out, err);
}

struct str database_table_name(struct arena *a, struct str name)
{
    struct pg_name fit = pg_name_fit(name, NULL);
    struct str kept = arena_dup(a, str_make(fit.text, fit.n));
    return kept.p ? kept : name;
}

void database_tell(const struct options *o, const struct schema *schema, struct buf *out)
{
    pg_ddl_tell_cut(out, "renorm: ", schema, !o->no_constraints);
}

enum rc database_rows(const char *word, const struct options *o, const struct schema *schema,
                      struct rows_reader **out, struct err *err)
{
    return pg_rows_open(word, o->schema, schema, out, err);
}

enum rc database_status(const char *word, const struct options *o, struct buf *out,
                        struct err *err)
{
    long long run = 0;
    enum rc rc = run_number(o, &run, err);
    return rc ? rc : pg_status(word, run, o->json, out, err);
}

enum rc database_publish(const char *word, const struct options *o, struct buf *out,
                         struct err *err)
{
    uint64_t given = o->retry_seconds;
    struct pg_options opts = {.conninfo = word,
                              .schema = o->schema,
                              .keep_runs = (uint32_t)o->keep_runs,
                              .commit_mb = (uint32_t)o->commit_mb,
                              .retry_s = (uint32_t)(given ? given : OPTION_RETRY_SECONDS),
                              .open_s = (uint32_t)(given ? given : OPTION_CONNECT_SECONDS),
                              .lease_s = (uint32_t)o->lease_seconds};
    return pg_publish_held(&opts, version(), out, err);
}
