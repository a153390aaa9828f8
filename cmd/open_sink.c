/* SPDX-License-Identifier: MIT */
/* Options of the command line to options of each sink. */
#include "cmd/open_sink.h"

#include "cmd/job.h"
#include "sinks/jsonl_sink.h"
#include "sinks/null_sink.h"

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

enum rc open_sink(const char *word, const struct options *o, struct sink **out, struct err *err)
{
    switch (sink_of(word)) {
    case SINK_FOLDER:
        return open_folder(word, o, out, err);
    case SINK_NULL:
        *out = null_sink_new();
        return *out ? RC_OK : err_nomem(err);
    case SINK_POSTGRES:
    case SINK_S3:
        break;
    }
    return err_set(err, RC_USAGE, "\"%s\" is no sink of this build\nhint: name a folder", word);
}
