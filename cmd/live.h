/* SPDX-License-Identifier: MIT */
/* A live table as the command line names it: dynamodb:TABLE[?index=..&region=..&endpoint=..]. */
#ifndef CMD_LIVE_H
#define CMD_LIVE_H

#include "cmd/job.h"
#include "pipeline/plan/needs.h"

bool live_is(const char *word);

/* Opens job->source; a live table stands alone. */
enum rc live_open(struct job *job, const char *const *words, size_t n, const struct options *o,
                  struct err *err) MUST_CHECK;

/* Attributes that the model names and the index lacks, into `out`: `"a", "b"`. */
void live_missing(const struct job *job, const struct needs *needs, struct buf *out);

/* Says on standard error which items count as expired, where only the table itself says so. */
void live_tell_ttl(const struct job *job, const struct options *o);

/*
 * Before a run, with the model compiled: tells what the operator should know, and has the
 * service leave out what nobody will read. Nothing for other sources.
 */
enum rc live_prepare(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

#endif
