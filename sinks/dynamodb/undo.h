/* SPDX-License-Identifier: MIT */
/*
 * An undo at work: intents come from the history, newest first, in pages. Two pages are under
 * way at most; they are marked in order, each under the segment of its place in the pair, so
 * that a mark covers the intents of its own page and no others. Private to undo.c and
 * undo_feed.c.
 */
#ifndef DYNAMODB_UNDO_H
#define DYNAMODB_UNDO_H

#include "pipeline/base/map.h"
#include "sinks/dynamodb/fill.h"
#include "sinks/dynamodb/writer.h"

enum { UNDO_PAGES = STATE_UNDO_SEGMENTS, UNDO_KEYS = 4096 };

struct undo_job {
    struct write_job job; /* first */
    struct str key;       /* canonical, with the hash: the same item, the same text */
    uint64_t hash;
    uint32_t earlier;       /* intent of an earlier process that may have done it */
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

struct undo {
    const struct fill_setup *setup;
    struct write_shared write;
    struct history *history;
    struct standing standing; /* of an undo that is resumed */
    struct map mine;          /* canonical key to the first of its intents in standing */
    uint32_t *next_mine;      /* by intent: the next of the same key */
    bool *met;                /* by intent */
    struct reader *reader;    /* for its event loop */
    struct journal *journal;
    struct writer *writer;
    struct decoder *decoder;
    struct arena scratch;
    struct undo_page pages[UNDO_PAGES];
    uint32_t filling, oldest; /* pages */
    struct undo_job *held;    /* its key is under way */
    struct undo_job *keys[UNDO_KEYS];
    bool ended; /* the history is */
    struct fill_progress progress;
    uint64_t counts[FATES]; /* of marked pages, by this process */
    struct err err;         /* found inside a callback */
};

/* The feeder of the writer; ctx is the undo. */
extern const struct writer_ops undo_ops;

enum rc undo_feed_init(struct undo *u, struct err *err) MUST_CHECK;
void undo_feed_release(struct undo *u);

/* All is taken, done and marked. */
bool undo_feed_done(const struct undo *u);

#endif
