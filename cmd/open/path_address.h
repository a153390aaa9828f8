/* SPDX-License-Identifier: MIT */
/* Files and folders as the command line names them; the functions are those of struct driver. */
#ifndef CMD_OPEN_PATH_ADDRESS_H
#define CMD_OPEN_PATH_ADDRESS_H

#include "cmd/open/job.h"
#include "pipeline/compare/rows_reader.h"
#include "pipeline/item/decoder.h"
#include "pipeline/run/sink.h"

/* Accepts "-", standard input, which is a source only. */
enum rc path_address_input(const char *word, bool *yes, struct err *err) MUST_CHECK;

/* Accepts any word: what is nothing else is a path. */
enum rc path_address_accepts(const char *word, bool *yes, struct err *err) MUST_CHECK;

/* What --form says; DECODER_TEXT: nothing. RC_USAGE: it is no form. */
enum rc path_address_form(const struct options *o, enum decoder_parse *out,
                          struct err *err) MUST_CHECK;

enum rc path_address_source(struct job *job, const char *const *words, size_t n,
                            const struct options *o, struct err *err) MUST_CHECK;

/* The sink and its reader are a folder of JSON lines. */
enum rc path_address_sink(const char *word, const struct options *o, struct sink **out,
                          struct err *err) MUST_CHECK;
enum rc path_address_rows(const char *word, const struct options *o,
                          const struct schema *schema, struct rows_reader **out,
                          struct err *err) MUST_CHECK;

/* Takes such a folder, or the state folder of a backfill. */
enum rc path_address_status(const char *word, const struct options *o, struct buf *out,
                            struct err *err) MUST_CHECK;

enum rc path_address_publish(const char *word, const struct options *o, struct buf *out,
                             struct err *err) MUST_CHECK;

#endif
