/* SPDX-License-Identifier: MIT */
/* Options of the command line to options of each sink. */
#include "cmd/open_sink.h"

#include "cmd/job.h"
#include "sinks/jsonl_sink.h"
#include "sinks/null_sink.h"
#include "sinks/pg_sink.h"

static enum rc open_folder(const char *word, const struct options *o, struct sink **out,
                           struct err *err)
{
    struct jsonl_options opts = {.out = word,
                                 .level = (int)o->level,
                                 .part_mb = (uint32_t)o->part_mb,
                                 .open_parts = (uint32_t)o->open_parts,
                                 .commit_mb = (uint32_t)o->commit_mb};
    return jsonl_open(&opts, out, err);
}

static enum rc bad_value(const char *option, const char *value, struct err *err)
{
    return err_set(err, RC_USAGE, "--%s does not take \"%s\"", option, value);
}

static enum rc open_postgres(const char *word, const struct options *o, struct sink **out,
                             struct err *err)
{
    struct pg_options opts = {.conninfo = word,
                              .schema = o->schema,
                              .delete_missing = o->delete_missing,
                              .no_constraints = o->no_constraints,
                              .unlogged = o->unlogged,
                              .synchronous_commit = o->synchronous_commit,
                              .keep_old = o->keep_old,
                              .join = o->join,
                              .keep_runs = (uint32_t)o->keep_runs,
                              .commit_mb = (uint32_t)o->commit_mb,
                              .retry_s = (uint32_t)o->retry_seconds,
                              .lease_s = (uint32_t)o->lease_seconds};
    if (o->mode && !pg_mode_parse(str_of(o->mode), &opts.mode))
        return bad_value("mode", o->mode, err);
    if (o->orphans && !pg_orphans_parse(str_of(o->orphans), &opts.orphans))
        return bad_value("orphans", o->orphans, err);
    if (o->duplicates && !pg_duplicates_parse(str_of(o->duplicates), &opts.duplicates))
        return bad_value("duplicates", o->duplicates, err);
    return pg_sink_open(&opts, out, err);
}

enum rc open_sink(const char *word, const struct options *o, struct sink **out, struct err *err)
{
    switch (sink_of(word)) {
    case SINK_FOLDER:
        return open_folder(word, o, out, err);
    case SINK_NULL:
        *out = null_sink_new();
        return *out ? RC_OK : err_nomem(err);
    case SINK_POSTGRES:
        return open_postgres(word, o, out, err);
    case SINK_S3:
        break;
    }
    return err_set(err, RC_USAGE, "\"%s\" is no sink of this build\nhint: name a folder", word);
}
