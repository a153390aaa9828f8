/* SPDX-License-Identifier: MIT */
/* Reads every item of a source, one after the other, in one thread: for looking, not for speed. */
#ifndef RUN_ITEMS_H
#define RUN_ITEMS_H

#include "pipeline/source/source.h"

/*
 * thread: worker. Called for each item; `fault` is NULL, or says why the bytes are no item. It
 * returns RC_END when it wants no more.
 */
typedef enum rc items_each(void *ctx, struct str raw, const char *fault, struct err *err);

enum rc items_walk(struct source *source, items_each *each, void *ctx,
                   struct err *err) MUST_CHECK;

#endif
