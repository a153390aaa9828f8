/* SPDX-License-Identifier: MIT */
/*
 * Scan pages rendered once and sent again and again, for benchmarks: a small pool of pages
 * stands for a table of any size, and an answer costs a few header bytes. Every item has its
 * place: page p of the table is page p of the pool, starting again at the pool's end.
 */
#ifndef SIM_CANNED_H
#define SIM_CANNED_H

#include "tests/sim/op.h"
#include "tests/sim/opt.h"
#include "tests/sim/table.h"

struct sim;

struct canned_page {
    struct buf body; /* {"Items":[...],"Count":n,"ScannedCount":n */
    uint32_t crc;
    uint64_t items, bytes;
};

struct canned {
    struct canned_page *pool;
    size_t n;
    struct canned_page last; /* the table's last page, if it is a short one */
    uint64_t pages;          /* of the whole table */
    uint64_t total_items, total_bytes;
};

void canned_init(struct canned *c, const struct table *t, size_t page_bytes,
                 const struct opt *o);
void canned_release(struct canned *c);

/* Answers a Scan. Segments share the pages evenly; Limit, filters and indexes are ignored. */
void canned_scan(struct canned *c, struct sim *s, const struct op_call *call, struct reply *r);

#endif
