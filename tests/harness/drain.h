/* SPDX-License-Identifier: MIT */
/*
 * Reads a source as a run would, with a ledger in memory, and keeps every item. A faulty extent
 * is kept as "!REASON WHOLE-LENGTH START". Failures of memory end the test.
 */
#ifndef HARNESS_DRAIN_H
#define HARNESS_DRAIN_H

#include "pipeline/source/source.h"

struct bag {
    char **items;
    size_t n, cap;
};

void bag_init(struct bag *b);
void bag_release(struct bag *b);
void bag_add(struct bag *b, struct str item);
void bag_add_page(struct bag *b, const struct page *p);
/* The same items as often, in whatever order? Sorts both; prints the first difference. */
bool bag_same(struct bag *a, struct bag *b);

struct drain_mark {
    uint32_t segment;
    bool done;
    char resume[32];
};

struct drain {
    struct bag bag;
    struct drain_mark *marks;
    size_t nmarks, cap_marks;
    uint64_t pages, bytes_in;
};

void drain_init(struct drain *d);
void drain_release(struct drain *d);

/* Goes on from the marks for at most max_pages pages. RC_OK: all is read; RC_CANCEL: more to do. */
enum rc drain_run(struct drain *d, struct source *s, uint64_t max_pages, struct err *err);

#endif
