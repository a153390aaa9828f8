/* SPDX-License-Identifier: MIT */
/* What a backfill would do, without doing it. */
#ifndef CMD_BACKFILL_REHEARSAL_H
#define CMD_BACKFILL_REHEARSAL_H

#include "cmd/backfill_job.h"

/* Reads the table (or a sample of it) and prints what would be written, its cost, and what is
 * to be feared. RC_FINISHED_BAD as the backfill itself would be. */
enum rc backfill_rehearse(struct backfill_job *b, struct err *err) MUST_CHECK;

#endif
