/* SPDX-License-Identifier: MIT */
/* What a backfill would do, without doing it. */
#ifndef CMD_REHEARSAL_H
#define CMD_REHEARSAL_H

#include "cmd/open/backfill_job.h"

/*
 * Reads the table (or a sample of it) and prints what would be written, what it would cost, and
 * warnings. RC_FINISHED_BAD where the backfill itself would end with it.
 */
enum rc rehearsal_run(struct backfill_job *b, struct err *err) MUST_CHECK;

#endif
