/* SPDX-License-Identifier: MIT */
/* A folder of JSON lines as a reader of rows. */
#ifndef SINKS_JSONL_ROWS_OF_FOLDER_H
#define SINKS_JSONL_ROWS_OF_FOLDER_H

#include "pipeline/compare/rows_reader.h"

/*
 * RC_USAGE if the folder holds no finished run. Borrows the schema until the reader is freed.
 * Returns owned in *out.
 */
enum rc jsonl_rows_open(const char *path, const struct schema *schema, struct rows_reader **out,
                        struct err *err) MUST_CHECK;

#endif
