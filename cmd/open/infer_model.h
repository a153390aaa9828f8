/* SPDX-License-Identifier: MIT */
/* A model for the source that was opened, inferred. */
#ifndef CMD_OPEN_INFER_MODEL_H
#define CMD_OPEN_INFER_MODEL_H

#include "cmd/open/job.h"

/* Writes it to the file of -o, which may not be there yet without --force, or to standard output. */
enum rc infer_model_write(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

#endif
