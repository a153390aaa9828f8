/* SPDX-License-Identifier: MIT */
/* A model for the source that was opened, inferred. */
#ifndef CMD_OPEN_INFER_MODEL_H
#define CMD_OPEN_INFER_MODEL_H

#include "cmd/open/job.h"

/* Writes it to the file of -o, which may not be there yet without --force, or to standard output. */
enum rc infer_model_write(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

/*
 * Writes it to `path`, whole or not at all; what is there is never written over (RC_USAGE).
 */
enum rc infer_model_store(struct job *job, const struct options *o, const char *path,
                          struct err *err) MUST_CHECK;

/* What the model is called: after the file, folder or table, as a schema can be. Lives in room. */
struct str infer_model_name(const struct options *o, char *room, size_t size);

#endif
