/* SPDX-License-Identifier: MIT */
/* Text that comes from data, made fit for a terminal. */
#ifndef CMD_PLAIN_H
#define CMD_PLAIN_H

#include "pipeline/base/buf.h"

/* At most max bytes of it: control characters become '?', what is cut off "...". Borrows. */
void plain_add(struct buf *out, struct str text, size_t max);

/* The same, filled up with blanks to width columns of one byte each. */
void plain_pad(struct buf *out, struct str text, size_t width);

/* "s", or nothing for one. */
const char *plain_plural(uint64_t n);

#endif
