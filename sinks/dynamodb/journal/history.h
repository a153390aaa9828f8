/* SPDX-License-Identifier: MIT */
/*
 * Reading the journal: forward, to find where an unfinished pass stands; backward, to put
 * things back, newest first. Memory is bounded by what was in flight, not by the log's length.
 */
#ifndef SINKS_DYNAMODB_JOURNAL_HISTORY_H
#define SINKS_DYNAMODB_JOURNAL_HISTORY_H

#include "sinks/dynamodb/journal/journal.h"

/* An intent as the journal holds it. Views; valid as said by the function that gives it. */
struct intent {
    uint32_t pass, generation, worker;
    uint64_t id;
    uint32_t segment;
    struct str key;       /* JSON object */
    struct change change; /* targets with old and new values; no reads */
    bool open;            /* no outcome is known */
    enum outcome outcome; /* unless open */
};

struct segment_state {
    bool done;
    struct str resume; /* empty: from its start */
};

/* Where a pass stands. */
struct resume_point {
    struct arena arena;
    struct segment_state *segments; /* info->segments of them */
    uint64_t *counts;               /* rows * FATES sums over all marks */
    uint32_t rows;
    struct intent *intents; /* of pages without a mark: open ones and changed ones */
    size_t nintents;
    uint64_t items; /* read, by all marks */
};

/* `rows`: entities + 1. RC_SINK: a damaged log, with its name and place. */
enum rc resume_point_read(struct resume_point *st, const struct state *s,
                          const struct pass_info *pass, uint32_t rows,
                          struct err *err) MUST_CHECK;
void resume_point_release(struct resume_point *st);

/* Intents of all fill passes that are not undone, newest first. */
struct history;
enum rc history_open(const struct state *s, struct history **out, struct err *err) MUST_CHECK;

/* Only those that changed something or whose outcome is unknown. The intent is valid until the
 * next call. RC_END after the last. */
enum rc history_next(struct history *h, struct intent *out, struct err *err) MUST_CHECK;

/* A text that says how far history_next got, and going there, to the furthest of several, before
 * the first is taken: for a resumed undo. */
enum rc history_place(const struct history *h, struct buf *out, struct err *err) MUST_CHECK;
enum rc history_seek(struct history *h, struct str place, struct err *err) MUST_CHECK;

/* How many intents there are in all (counted in a forward pass when opened). */
uint64_t history_count(const struct history *h);
void history_close(struct history *h);

/* Writes listed.jsonl of the pass from its marks; *n gets the number of lines. */
enum rc history_list(const struct state *s, const struct pass_info *pass, uint64_t *n,
                     struct err *err) MUST_CHECK;

#endif
