/* SPDX-License-Identifier: MIT */
/* A PostgreSQL database as the command line names it; the functions are those of struct driver. */
#ifndef CMD_OPEN_DATABASE_ADDRESS_H
#define CMD_OPEN_DATABASE_ADDRESS_H

#include "cmd/open/job.h"
#include "pipeline/compare/rows_reader.h"
#include "pipeline/run/sink.h"

/* Accepts a URL, or a list of libpq's own keys with their values. */
enum rc database_accepts(const char *word, bool *yes, struct err *err) MUST_CHECK;

/* The source is the rejects of an earlier run. */
enum rc database_rejects(struct job *job, const char *const *words, size_t n,
                         const struct options *o, struct err *err) MUST_CHECK;

enum rc database_sink(const char *word, const struct options *o, struct sink **out,
                      struct err *err) MUST_CHECK;

/* Names longer than PostgreSQL's are cut. */
struct str database_table_name(struct arena *a, struct str name);
void database_tell(const struct options *o, const struct schema *schema, struct buf *out);

enum rc database_rows(const char *word, const struct options *o, const struct schema *schema,
                      struct rows_reader **out, struct err *err) MUST_CHECK;

enum rc database_status(const char *word, const struct options *o, struct buf *out,
                        struct err *err) MUST_CHECK;

enum rc database_publish(const char *word, const struct options *o, struct buf *out,
                         struct err *err) MUST_CHECK;

#endif
