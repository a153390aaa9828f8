/* SPDX-License-Identifier: MIT */
/* What an export of a live table would do, for people. */
#ifndef CMD_PRINT_DRY_RUN_H
#define CMD_PRINT_DRY_RUN_H

#include "cmd/open/job.h"

/* Prints to standard output; nothing is read from the table. */
enum rc dry_run_print(const struct job *job, const struct options *o,
                      struct err *err) MUST_CHECK;

#endif
