/* SPDX-License-Identifier: MIT */
/* Every item of a source, one after the other, in this thread: for looking, not for speed. */
#ifndef CMD_ITEMS_H
#define CMD_ITEMS_H

#include "pipeline/source/source.h"

/* Called for each item; fault is NULL or why the bytes are none. RC_END stops early, quietly. */
typedef enum rc items_each(void *ctx, struct str raw, const char *fault, struct err *err);

enum rc items_walk(struct source *source, items_each *each, void *ctx,
                   struct err *err) MUST_CHECK;

#endif
