/* SPDX-License-Identifier: MIT */
/* The manual page and the shell completion, made from the tables of options and commands. */
#ifndef CMD_MANUAL_H
#define CMD_MANUAL_H

#include "pipeline/base/buf.h"

void manual_page(struct buf *out);       /* roff */
void manual_completion(struct buf *out); /* bash */

#endif
