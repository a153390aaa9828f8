/* SPDX-License-Identifier: MIT */
/* state.json as text, and back. Private to the state. */
#ifndef SINKS_DYNAMODB_JOURNAL_STATE_FILE_H
#define SINKS_DYNAMODB_JOURNAL_STATE_FILE_H

#include "sinks/dynamodb/journal/state.h"

void state_file_write(const struct state *s, struct buf *out);

/*
 * Fills table and passes from a text, which is upgraded first if it is older. RC_USAGE: not ours, or
 * of a newer renorm.
 */
enum rc state_file_read(struct state *s, struct buf *text, const char *path,
                        struct err *err) MUST_CHECK;

/* One more pass, with its number; NULL: out of memory. */
struct pass_info *state_file_push(struct state *s);

#endif
