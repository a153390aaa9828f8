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

struct fill_job {
    struct write_job job; /* first */
    uint32_t earlier; /* intent of an earlier process that may have done it, or UINT32_MAX */
    uint32_t entity;  /* that it was written for: it may be of another one since */
    struct fill_job *next;
};

struct fill_work {
    bool open; /* it has a segment */
    bool idle; /* the last page of which had nothing to be written */
    bool slow; /* a job of its page has to wait, it may be long */
    uint32_t segment;
    struct page *page; /* NULL: none has come, or it is done */
    struct arena arena;
    struct fill_job *waiting, **end; /* not taken by the writer yet */
    struct fill_job *aside, **last;  /* passed over, for their partition was held back */
    uint32_t left, out;              /* jobs without an end; of these, taken by the writer */
    uint64_t *counts;                /* rows * FATES */
    struct buf listed;
};

/* A place for a segment that was started: until its last page is done. */
void fill_work_open(struct fill_worker *w, uint32_t segment);

/* Judges the items of a page and finishes it at once if there is nothing to write. */
enum rc fill_page_begin(struct fill_worker *w, struct page *page, struct err *err) MUST_CHECK;

/* Tells the rota how the works stand. */
void fill_share(struct fill_worker *w);

/* None is ready: waits no longer for those that are late. True: there was one. */
bool fill_share_late(struct fill_worker *w);

/* The feeder of the writer; ctx is the worker. */
extern const struct writer_ops fill_page_ops;

#endif
