/* SPDX-License-Identifier: MIT */
/* Showing what is held, without the model and the source that it was made of. */
#ifndef SINKS_JSONL_SHOW_HELD_H
#define SINKS_JSONL_SHOW_HELD_H

#include "pipeline/base/buf.h"

/*
 * Shows the held run of a folder and appends lines that say what was shown. RC_USAGE: there is none
 * that can be; RC_TRANSIENT: a process works on it.
 */
enum rc jsonl_show_held(const char *out, struct buf *text, struct err *err) MUST_CHECK;

#endif
