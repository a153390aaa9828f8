/* SPDX-License-Identifier: MIT */
/* A live table as the command line names it: dynamodb:TABLE[?index=..&region=..&endpoint=..]. */
#ifndef CMD_OPEN_TABLE_ADDRESS_H
#define CMD_OPEN_TABLE_ADDRESS_H

#include "cmd/open/job.h"
#include "pipeline/plan/attributes_read.h"

/* As the function of struct driver. */
enum rc table_address_open(struct job *job, const char *const *words, size_t n,
                           const struct options *o, struct err *err) MUST_CHECK;

/* Appends the attributes that the model names and the index lacks: `"a", "b"`. */
void table_prepare_missing(const struct job *job, const struct attributes_read *needs,
                           struct buf *out);

/* Says on standard error which items count as expired, where only the table itself says so. */
void table_prepare_tell_ttl(const struct job *job, const struct options *o);

/*
 * Before a run, with the model compiled: tells what the operator should know, and has the
 * service leave out what nobody will read. Nothing for other sources.
 */
enum rc table_prepare(struct job *job, const struct options *o, struct err *err) MUST_CHECK;

/* A service does not answer: what it said, and how long it will be tried again. */
void table_address_trouble(const struct err *err, int64_t left_us);

/* What is set twice, or wrongly, in the AWS configuration: a line for standard error. */
void table_address_tell(const char *line);

/* Reads --give-up, in microseconds. */
enum rc table_address_give_up(const struct options *o, int64_t *out,
                              struct err *err) MUST_CHECK;

#endif
