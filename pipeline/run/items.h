/* SPDX-License-Identifier: MIT */
/* Reads every item of a source, one after the other, in one thread: for looking, not for speed. */
#ifndef RUN_ITEMS_H
#define RUN_ITEMS_H

#include "pipeline/source/source.h"

/* An item as it lies in its page. */
struct walked_item {
    struct str raw;
    const char *fault;              /* NULL, or why the bytes are no item */
    const struct source_part *part; /* where it is from; NULL: not known */
};

/*
 * thread: worker. Called for each item. It returns RC_END when it wants no more.
 */
typedef enum rc items_each(void *ctx, const struct walked_item *item, struct err *err);

enum rc items_walk(struct source *source, items_each *each, void *ctx,
                   struct err *err) MUST_CHECK;

#endif
