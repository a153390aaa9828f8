/* SPDX-License-Identifier: MIT */
/*
 * Finds items of a live table that do not carry what the backfill says. The table is scanned, and
 * an item that the recipe would change is wrong. The scan may have read an item in the middle of a
 * write, so items that were wrong are read again by their keys, consistently, and judged anew. Only
 * the first FILL_VERIFY_AGAIN are: a table with more of them is wrong whatever the rest is.
 */
#ifndef SINKS_DYNAMODB_FILL_FILL_VERIFY_H
#define SINKS_DYNAMODB_FILL_FILL_VERIFY_H

#include "sinks/dynamodb/fill/fill.h"

enum { FILL_VERIFY_AGAIN = 1000 };

/* Takes each item that is still wrong when it is read again. thread: main. */
struct fill_verify_report {
    void *ctx;
    /* The item with this key would be changed like that; both are borrowed for the call. */
    void (*wrong)(void *ctx, struct str key, const struct change *change);
    /* The recipe cannot judge the item; `key` is empty where it could not even be decoded. */
    void (*failed)(void *ctx, struct str key, const struct fault *why);
};

struct fill_verify {
    struct fill_result scanned; /* what the scan saw */
    uint64_t wrong, failed;     /* when read again; with those that were not */
    uint64_t settled;           /* wrong when scanned, and right or gone when read again */
};

/* fill_verify_release frees what was made even if this fails. */
enum rc fill_verify_run(const struct fill_setup *setup, const struct fill_verify_report *report,
                        struct fill_verify *out, struct err *err) MUST_CHECK;
void fill_verify_release(struct fill_verify *v);

#endif
