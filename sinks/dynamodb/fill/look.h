/* SPDX-License-Identifier: MIT */
/* A pass over a live table that only looks: a rehearsal, a verification. */
#ifndef SINKS_DYNAMODB_FILL_LOOK_H
#define SINKS_DYNAMODB_FILL_LOOK_H

#include "sinks/dynamodb/fill/fill.h"

struct look {
    /* thread: worker. Every item, also those that cannot be decoded (item->n == 0). */
    enum rc (*item)(void *ctx, uint32_t worker, const struct item *item, const struct change *c,
                    struct err *err);
    void *ctx;
    uint64_t sample; /* the pass ends after about so many items; 0: all */
};

/* RC_OK: read to the end (or to the sample's). Nothing is written, nothing can be resumed. */
enum rc look_run(const struct fill_setup *setup, const struct look *look,
                 struct fill_result *out, struct err *err) MUST_CHECK;

#endif
