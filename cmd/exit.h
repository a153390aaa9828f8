/* SPDX-License-Identifier: MIT */
/* Exit statuses and how errors are told. */
#ifndef CMD_EXIT_H
#define CMD_EXIT_H

#include "pipeline/base/err.h"

enum {
    EXIT_ALL_WELL = 0,
    EXIT_FINISHED_BAD = 1,
    EXIT_USAGE = 2,
    EXIT_RESUMABLE = 3,
    EXIT_HOPELESS = 4,
    EXIT_INTERRUPTED = 130
};

/* The exit status of a command that ended so. */
int exit_status(enum rc rc);

/* Tells the error on standard error and returns the exit status; nothing is told of RC_OK. */
int exit_tell(enum rc rc, const struct err *err);

#endif
