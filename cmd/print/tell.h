/* SPDX-License-Identifier: MIT */
/*
 * What is told on standard error: lines for people, or, with --log json, an object a line. Like the
 * stream itself there is one for the process. What was printed to standard output before is
 * written out first, so that the two interleave in order.
 * thread: main, all of it.
 */
#ifndef CMD_PRINT_TELL_H
#define CMD_PRINT_TELL_H

#include "pipeline/base/buf.h"

/* What follows is told as JSON. */
void tell_as_json(bool json);

/* Is it told as JSON? */
bool tell_is_json(void);

/* Tells something that the operator should know, though the command goes on: "renorm: TEXT". */
void tell_warning(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Tells lines that are written out, "renorm: " included where it belongs; each is a warning. */
void tell_warnings(struct str lines);

/* Tells lines that say what is wrong with a model; each is an error. */
void tell_problems(struct str lines);

/* Tells why the command ends. */
void tell_error(struct str text, int exit_status);

/* Appends a string of JSON, whatever the bytes are: what is no UTF-8 becomes U+FFFD. */
void tell_json_string(struct buf *out, struct str text);

enum { TELL_STAMP_SIZE = 32 };

/* A time of the wall clock as 2026-01-31T12:00:00.000Z: of one width, so that texts compare as
 * times do. */
void tell_stamp(char out[TELL_STAMP_SIZE], int64_t us);

/* Begins an event: `{"event":"NAME","time":"…"`. */
void tell_event_begin(struct buf *out, const char *name);

/* Ends it with a brace and prints the line; the text is released. */
void tell_event_end(struct buf *event);

#endif
