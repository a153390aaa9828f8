/* SPDX-License-Identifier: MIT */
/* state.json as text, and back. Private to the state. */
#ifndef DYNAMODB_STATE_FILE_H
#define DYNAMODB_STATE_FILE_H

#include "sinks/dynamodb/state.h"

void state_file_write(const struct state *s, struct buf *out);

/* Fills table and passes. RC_USAGE: not ours, or of a newer renorm. */
enum rc state_file_read(struct state *s, struct str text, const char *path,
                        struct err *err) MUST_CHECK;

/* One more pass, with its number; NULL: out of memory. */
struct pass_info *state_file_push(struct state *s);

#endif
