/* SPDX-License-Identifier: MIT */
/* Takes what a comparison finds, as it finds it. The comparison itself prints nothing. */
#ifndef COMPARE_REPORT_H
#define COMPARE_REPORT_H

#include "pipeline/row/schema.h"

/* How a key differs. */
enum compare_finding {
    COMPARE_MISSING,   /* only the source has it */
    COMPARE_EXTRA,     /* only the sink has it */
    COMPARE_DIFFERENT, /* both have it, with other rows */
    COMPARE_CHANGED    /* its items were written while they were read */
};

enum compare_items { COMPARE_REJECTED, COMPARE_UNROUTED };

/* What became of the keys that were to be read again. */
struct compare_reread {
    uint64_t equal, changed, different, unread;
};

/* thread: the one that compares. Each function borrows what it is given for the call. */
struct compare_report {
    void *ctx;
    /* A table was read on both sides; `rows` are the sink's. May be NULL. */
    void (*table)(void *ctx, const struct table *t, uint64_t rows, bool equal);
    /* The sink's table cannot be compared at all; `lacks` says why, for people. */
    void (*lacking)(void *ctx, const struct table *t, const char *lacks);
    /* `key` is as row_line_key makes it; the line itself where the table has none. */
    void (*key)(void *ctx, const struct table *t, struct str key, enum compare_finding what);
    /* Besides the keys that were named so many more of the table differ. */
    void (*unnamed)(void *ctx, const struct table *t, uint64_t keys);
    /* So many buckets of the table differ and were not searched for keys. */
    void (*unsearched)(void *ctx, const struct table *t, size_t buckets);
    /* The sides differ in how many items became no rows. */
    void (*items)(void *ctx, enum compare_items which, uint64_t source, uint64_t sink);
    /* There are as many of such items, but others. */
    void (*other_items)(void *ctx, enum compare_items which);
    /* The sink says that the run counted another number than the source gives; `name` is for people. */
    void (*count)(void *ctx, struct str name, struct str source, struct str sink);
    /* The keys that differed were read again; those that still differ were named. */
    void (*reread)(void *ctx, const struct compare_reread *counts);
    /* The keys that differed cannot be read again. */
    void (*not_reread)(void *ctx, const struct err *why);
};

#endif
