/* SPDX-License-Identifier: MIT */
/*
 * A page in work: its items are judged when it comes; those to be written become jobs, which
 * live in the page's own arena until the last of them has its end. Then the page is marked in
 * the journal and goes back to its reader, which may read on: that is the back-pressure.
 */
#ifndef SINKS_DYNAMODB_FILL_FILL_PAGE_H
#define SINKS_DYNAMODB_FILL_FILL_PAGE_H

#include "pipeline/source/page.h"
#include "sinks/dynamodb/fill/fill_private.h"

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
    struct fill_job *waiting, **end; /* not offered to the writer yet */
    struct fill_job *aside, **last;  /* offered, and held: to be offered again */
    uint32_t left, out;              /* jobs without an end; of these, taken by the writer */
    uint64_t *counts;                /* rows * FATES */
    struct buf listed;
};

/* A place for a segment that was started: until its last page is done. */
void fill_work_open(struct fill_worker *w, uint32_t segment);

/* Judges the items of a page. RC_AGAIN: some are to be written, the page is kept until then, and
 * given back by task_page_done. RC_OK: it is done, and marked. */
enum rc fill_page_begin(struct fill_worker *w, struct page *page, struct err *err) MUST_CHECK;

/* Forgets a page that was kept just now: the engine takes it back. */
void fill_page_drop(struct fill_worker *w, const struct page *page);

/* Offers jobs to the writer, in turn from the segments, until it takes no more or there is none. */
void fill_feed(struct fill_worker *w);

/* What becomes of jobs that were taken; ctx is the worker. */
extern const struct writer_ops fill_page_ops;

#endif
