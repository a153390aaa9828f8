/* SPDX-License-Identifier: MIT */
/*
 * The model of an export that names none: ./NAME.model.json, after the source's name, which the
 * first such export infers and every later one uses, so that a schema does not drift under its
 * readers. A new one gets a number: none is ever written over.
 */
#ifndef CMD_OPEN_STORED_MODEL_H
#define CMD_OPEN_STORED_MODEL_H

#include "cmd/open/job.h"

enum { STORED_MODEL_PATH = 128 };

struct stored_model {
    char path[STORED_MODEL_PATH];
    bool there; /* it need not be inferred */
};

/* The newest that is there, or the name of the next. RC_USAGE: one cannot be inferred for this call. */
enum rc stored_model_find(const struct options *o, struct stored_model *out,
                          struct err *err) MUST_CHECK;

/* Infers it from the source of the job, which is read to its end and opened once more. */
enum rc stored_model_make(const struct stored_model *m, struct job *job,
                          const struct options *o, struct err *err) MUST_CHECK;

#endif
