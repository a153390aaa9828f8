/* SPDX-License-Identifier: MIT */
/*
 * A pass over a live table that writes: scan, compute, write. Workers share the segment list, the
 * budgets and the retry quota. What all passes have in common stands here as well: those that only
 * look (look.h) and the undo.
 */
#ifndef SINKS_DYNAMODB_FILL_FILL_H
#define SINKS_DYNAMODB_FILL_FILL_H

#include <stdatomic.h>

#include "pipeline/source/source.h"
#include "sinks/dynamodb/journal/history.h"
#include "sinks/dynamodb/rehearsal/rehearse.h"

struct fill_progress { /* written by one worker, read by anybody */
    atomic_uint_fast64_t items, fates[FATES], segments;
};

struct fill_setup {
    const struct plan *plan;
    const struct recipe *recipe;
    struct source *source; /* a scan */
    struct state *state;   /* NULL: nothing is written */
    /* writing: many items that fail or are unrouted do not mean that the model is the wrong one */
    bool tolerant;
    struct budget *writes;
    uint32_t workers, in_flight;
    int64_t now_us;
    const atomic_bool *stop;
    const struct env *env;
    /* thread: main, about ten times a second; may be NULL */
    void (*tick)(void *ctx, const struct fill_progress *workers, uint32_t n,
                 const struct fill_setup *setup);
    void *tick_ctx;
};

struct fill_result {
    uint64_t
        *counts; /* [entities + 1][FATES], of the whole pass, resumed parts included; owned */
    uint32_t rows;
    uint64_t read;          /* items the service sent: the counts must add up to it */
    uint64_t resumed_items; /* of these, done by earlier processes */
    double table_units, index_units, read_units; /* by this process */
    uint64_t throttles, retries;
    int64_t wall_us;
    uint32_t segments;
};

/* RC_OK: read to the end. RC_CANCEL, RC_TRANSIENT: can be resumed. */
enum rc fill_run(const struct fill_setup *setup, struct fill_result *out,
                 struct err *err) MUST_CHECK;
void fill_result_release(struct fill_result *r);

/* Puts back what the passes of the state wrote. The state was opened with PASS_UNDO. */
struct undo_result {
    uint64_t intents, restored, already, conflicted, failed;
    double table_units, index_units;
    uint64_t throttles, retries;
    int64_t wall_us;
};
enum rc undo_run(const struct fill_setup *setup, struct undo_result *out,
                 struct err *err) MUST_CHECK;

#endif
