/* SPDX-License-Identifier: MIT */
/* Databases keep their own ledger; other words have no status. */
#include "cmd/status_sink.h"

enum rc status_sink(const char *word, const struct options *o, struct buf *out, struct err *err)
{
    (void)o;
    (void)out;
    return err_set(err, RC_USAGE, "\"%s\" has no status\nhint: name a folder", word);
}
