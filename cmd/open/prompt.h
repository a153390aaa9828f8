/* SPDX-License-Identifier: MIT */
/* A question to the person at the terminal, whatever standard input and output are. */
#ifndef CMD_OPEN_PROMPT_H
#define CMD_OPEN_PROMPT_H

#include "pipeline/base/buf.h"

/* Appends the line, which is not shown while it is typed. RC_NONE: there is no terminal. */
enum rc prompt_terminal(const char *prompt, struct buf *answer, struct err *err) MUST_CHECK;

#endif
