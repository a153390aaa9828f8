/* SPDX-License-Identifier: MIT */
/* What a scan would do, without doing it. */
#ifndef CMD_DRY_RUN_H
#define CMD_DRY_RUN_H

#include "cmd/job.h"

/* Prints the plan of an export of a live table to standard output. */
enum rc dry_run_print(const struct job *job, const struct options *o,
                      struct err *err) MUST_CHECK;

#endif
