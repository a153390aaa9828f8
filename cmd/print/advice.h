/* SPDX-License-Identifier: MIT */
/* What a careful decoder of the items would tell the author of the model. */
#ifndef CMD_PRINT_ADVICE_H
#define CMD_PRINT_ADVICE_H

#include "cmd/open/job.h"

/* Reads the source (words 1 and on) once more and adds a line for each thing it finds. */
enum rc advice_give(struct job *job, const struct options *o, struct buf *out,
                    struct err *err) MUST_CHECK;

#endif
