/* SPDX-License-Identifier: MIT */
/* Text for people: what comes from data is made fit for a terminal. */
#ifndef CMD_PRINT_PLAIN_H
#define CMD_PRINT_PLAIN_H

#include "pipeline/base/buf.h"

/* Appends at most max bytes: control characters and marks of direction become '?', what is cut off becomes "...". */
void plain_add(struct buf *out, struct str text, size_t max);

/* Appends a text of any length; what would be '?' becomes \uXXXX, as in JSON. Lines stay lines. */
void plain_escape(struct buf *out, struct str text);

/* Appends as plain_add does, all of it, filled up with blanks to `width` columns of one byte each. */
void plain_pad(struct buf *out, struct str text, size_t width);

/* Appends all of it; a byte that is no UTF-8 becomes U+FFFD. */
void plain_utf8(struct buf *out, struct str text);

/* Appends a line of a plan: a name in its column, and a text. */
void plain_line(struct buf *out, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Writes to standard output: escaped as plain_escape does if that is a terminal, which data may command; a file
   or a program gets it as it is. */
void plain_print(struct str text);

/* Returns "s", or nothing for one. */
const char *plain_plural(uint64_t n);

#endif
