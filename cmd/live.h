/* SPDX-License-Identifier: MIT */
/* A live table as the command line names it: dynamodb:TABLE[?index=..&region=..&endpoint=..]. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "cmd/job.h"

bool live_is(const char *word);

/* Opens job->source; a live table stands alone. */
enum rc live_open(struct job *job, const char *const *words, size_t n, const struct options *o,
                  struct err *err) MUST_CHECK;

#endif
