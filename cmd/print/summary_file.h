/* SPDX-License-Identifier: MIT */
/* The file that --summary or --metrics names, for all commands that write one. */
#ifndef CMD_PRINT_SUMMARY_FILE_H
#define CMD_PRINT_SUMMARY_FILE_H

#include "pipeline/base/buf.h"

/*
 * Commands call this before they begin, so that a long run does not end without its summary.
 * `option` is its name, for the hint. `path` NULL: none is asked for. RC_USAGE: it cannot be written.
 */
enum rc summary_file_check(const char *option, const char *path, struct err *err) MUST_CHECK;

/* True of a device or a pipe, and of /dev/stdout, whatever that is a link to. */
bool summary_file_is_stream(const char *path);

/* Replaces a file in one step; a device or a pipe is written to as it is. */
enum rc summary_file_write(const char *path, const struct buf *text,
                           struct err *err) MUST_CHECK;

/*
 * Writes the file of a command that ended with `rc` and returns what it ends with now: a file
 * that cannot be written spoils a command that went well, and no other. `path` may be NULL.
 */
enum rc summary_file_end(const char *path, const struct buf *text, enum rc rc,
                         struct err *err) MUST_CHECK;

#endif
