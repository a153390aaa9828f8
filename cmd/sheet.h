/* SPDX-License-Identifier: MIT */
/* The balance sheet of a run, for people and as JSON. */
#ifndef CMD_SHEET_H
#define CMD_SHEET_H

#include "pipeline/run/run.h"

/* items read = routed + filtered + unrouted + rejected; rows per table; what was counted. */
void sheet_print(const struct schema *schema, const struct run_result *r, struct buf *out);

/* The same as one JSON object. `rc` is how the run ended. */
void sheet_json(const struct schema *schema, const struct run_result *r, enum rc rc,
                struct buf *out);

/* Asked before a run, so that it does not end without its summary. RC_USAGE: it cannot be written. */
enum rc sheet_writable(const char *path, struct err *err) MUST_CHECK;

/* Written beside its final name and renamed, so that a reader never sees half of it;
   what is no file is written to as it is. */
enum rc sheet_write(const char *path, const struct buf *text, struct err *err) MUST_CHECK;

#endif
