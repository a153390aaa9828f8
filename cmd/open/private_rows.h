/* SPDX-License-Identifier: MIT */
/* A folder under TMPDIR that holds rows for as long as a command runs, as JSON lines. */
#ifndef CMD_OPEN_PRIVATE_ROWS_H
#define CMD_OPEN_PRIVATE_ROWS_H

#include "cmd/options.h"
#include "pipeline/compare/reexport.h"

struct private_rows {
    struct rows_store store; /* valid until the release */
    struct options options;  /* of its sinks */
    struct buf folder;
};

/* Borrows texts of `o`. Release it after a failure, too. thread: main, before others start */
enum rc private_rows_make(struct private_rows *p, const struct options *o,
                          struct err *err) MUST_CHECK;

/* Removes the folder. A folder that stays is named on standard error, for it holds rows. */
void private_rows_release(struct private_rows *p);

#endif
