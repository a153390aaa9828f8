/* SPDX-License-Identifier: MIT */
/* Showing what is held, without the model and the source that it was made of. */
#ifndef SINKS_POSTGRES_PUBLISH_PUBLISH_HELD_H
#define SINKS_POSTGRES_PUBLISH_PUBLISH_HELD_H

#include "pipeline/base/buf.h"
#include "sinks/postgres/postgres.h"

/*
 * Shows the held run of opts->schema, or the only one there is, and appends lines that say what was
 * shown. RC_USAGE: there is none, several, or one that lacks more than a permission; RC_TRANSIENT: a
 * process works on it; RC_FINISHED_BAD: what readers have does not go with it. `renorm`: our version.
 */
enum rc pg_publish_held(const struct pg_options *opts, const char *renorm, struct buf *text,
                        struct err *err) MUST_CHECK;

#endif
