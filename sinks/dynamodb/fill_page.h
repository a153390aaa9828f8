/* SPDX-License-Identifier: MIT */
/*
 * A page in work: its items are judged when it comes; those to be written become jobs, which
 * live in the page's own arena until the last of them has its end. Then the page is marked in
 * the journal and goes back to its reader, which may read on: that is the back-pressure.
 */
#ifndef DYNAMODB_FILL_PAGE_H
#define DYNAMODB_FILL_PAGE_H

#include "pipeline/source/page.h"
#include "sinks/dynamodb/fill_worker.h"

/* A page that was held back is asked again after so long at the latest. */
enum { FILL_PAGE_FEW_MS = 20 };

struct fill_job {
    struct write_job job; /* first */
    uint32_t earlier; /* intent of an earlier process that may have done it, or UINT32_MAX */
    uint32_t entity;  /* that it was written for: it may be of another one since */
    struct fill_job *next;
};

struct fill_work {
    struct page *page; /* NULL: free */
    struct arena arena;
    struct fill_job *waiting, **end; /* not taken by the writer yet */
    struct fill_job *aside, **last;  /* passed over, for their partition was held back */
    uint32_t left, out;              /* jobs without an end; of these, taken by the writer */
    uint32_t few;                    /* taken since few_us, while few pages were there */
    int64_t few_us;
    uint64_t *counts; /* rows * FATES */
    struct buf listed;
};

/* Judges the items of a page and finishes it at once if there is nothing to write. */
enum rc fill_page_begin(struct fill_worker *w, struct page *page, struct err *err) MUST_CHECK;

/* Have most of the open segments a page here? */
bool fill_share_most(const struct fill_worker *w);

/* May this page have one more job under way? Ask once, and take one if so. */
bool fill_share(struct fill_worker *w, struct fill_work *k, bool most);

/* The feeder of the writer; ctx is the worker. */
extern const struct writer_ops fill_page_ops;

#endif
