/* SPDX-License-Identifier: MIT */
/* What a careful reader of the items would tell the author of the model. */
#ifndef CMD_ADVICE_H
#define CMD_ADVICE_H

#include "cmd/job.h"

/* Reads the source once more and prints what it finds, if anything. */
enum rc advice_print(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

#endif
