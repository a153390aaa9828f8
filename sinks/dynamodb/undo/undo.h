/* SPDX-License-Identifier: MIT */
/*
 * An undo at work: intents come from the history, newest first, in pages. Two pages are under
 * way at most; they are marked in order, each under the segment of its place in the pair, so
 * that a mark covers the intents of its own page and no others. Private to undo*.c.
 */
#ifndef SINKS_DYNAMODB_UNDO_UNDO_H
#define SINKS_DYNAMODB_UNDO_UNDO_H

#include "pipeline/base/map.h"
#include "sinks/dynamodb/fill/journaled_writer.h"

enum { UNDO_PAGES = STATE_UNDO_SEGMENTS, UNDO_KEYS = 4096 };
#define UNDO_NOT_EARLIER UINT32_MAX

struct undo_job {
    struct write_job job; /* first */
    struct str key;       /* canonical, with the hash: the same item, the same text */
    uint64_t hash;
    uint32_t earlier;       /* intent of an earlier process that may have done it */
    uint32_t whole;         /* and the one it tried before that, of which this is a part */
    struct fault part;      /* reason is set: only a part of it is to be put back, and why */
    struct undo_job *chain; /* keys under way of the same hash */
};

struct undo_page {
    struct arena arena;
    bool used, full;
    uint32_t n, left; /* jobs, and those without an end */
    uint64_t bytes;   /* of all values */
    struct buf place, listed;
    uint64_t counts[FATES];
};

struct undo_worker {
    struct task_worker base; /* first */
    struct undo *undo;
};

struct undo {
    struct task task; /* first */
    struct undo_worker worker;
    const struct fill_setup *setup;
    struct write_shared write;
    struct history *history;
    struct resume_point resumed;  /* of an undo that is resumed */
    struct map mine;              /* canonical key to the first of its intents in resumed */
    uint32_t *next_mine;          /* by intent: the next of the same key */
    bool *met;                    /* by intent */
    struct journaled_writer side; /* the worker's */
    struct decoder *decoder;
    struct arena scratch;
    struct undo_page pages[UNDO_PAGES];
    uint32_t filling, oldest; /* pages */
    struct undo_job *held; /* the next in order: its key is under way, or the writer is full */
    struct undo_job *keys[UNDO_KEYS];
    bool ended; /* the history is */
    struct fill_progress progress;
    uint64_t counts[FATES]; /* of marked pages, by this process */
    struct undo_result *out;
};

/* What becomes of jobs that were taken; ctx is the undo. */
extern const struct writer_ops undo_ops;

enum rc undo_feed_init(struct undo *u, struct err *err) MUST_CHECK;
void undo_feed_release(struct undo *u);

/* Offers jobs to the writer, in order, until it takes no more or the next one has to wait. */
void undo_feed(struct undo *u);

/* The item as it is now, which does not have all that was written: what is there to be put back?
 * Narrows the job to that. */
enum fate undo_part_again(struct undo_job *j, const struct item *item);

/* Sets the job's intents of earlier processes. One that had narrowed it is the last of them: the
 * job is narrowed to that. */
void undo_part_find(struct undo *u, struct undo_job *j);

/* These have no more to answer for. False: no memory. */
bool undo_part_settle(struct undo *u, const struct undo_job *j, enum outcome what);

/* A job that was put back in part is one that others have changed. */
enum fate undo_part_end(struct undo_job *j, enum fate fate);

/* All is taken, done and marked. */
bool undo_feed_done(const struct undo *u);

#endif
