/* SPDX-License-Identifier: MIT */
/* Databases keep their own ledger; other words have no status. */
#include "cmd/status_sink.h"

#include "cmd/job.h"
#include "sinks/pg_status.h"

enum rc status_sink(const char *word, const struct options *o, struct buf *out, struct err *err)
{
    unsigned long long run = 0;
    if (sink_of(word) != SINK_POSTGRES) {
        return err_set(err, RC_USAGE, "\"%s\" has no status\nhint: name a folder or a database",
                       word);
    }
    if (o->run && !str_uint(str_of(o->run), &run))
        return err_set(err, RC_USAGE, "--run takes a number, not \"%s\"", o->run);
    return pg_status(word, (long long)run, o->json, out, err);
}
