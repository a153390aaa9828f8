/* SPDX-License-Identifier: MIT */
/*
 * A run: reads a source through a plan into a sink, to the end, or to where it can be resumed. Its
 * workers share nothing but the segment list, the sums, the stop flag and the first error.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <stdatomic.h>

#include "pipeline/base/env.h"
#include "pipeline/plan/plan.h"
#include "pipeline/profile/shape_report.h"
#include "pipeline/row/note_examples.h"
#include "pipeline/run/guards.h"
#include "pipeline/source/source.h"

/* Written by one worker, read by anybody. */
struct run_progress {
    atomic_uint_fast64_t items, bytes_in, rejected, unrouted, segments;
    atomic_uint_fast64_t bytes_passed; /* of input that was done before, and passed over */
};

/* "N" or "P%": how many rejects or unrouted items are no reason to hold a run. */
struct allowance {
    uint64_t count;
    double percent; /* < 0: count holds */
};

/* Are `n` of `read` items more than that? */
bool run_allowance_exceeded(const struct allowance *a, uint64_t n, uint64_t read);

struct run_setup {
    const struct plan *plan;
    struct source *source;
    struct sink *sink;
    struct run_info info;
    uint32_t workers;
    struct str mask_key;
    struct allowance rejects, unrouted;
    struct guards guards;
    unsigned fail_on;        /* by finding_kind: each is a reason to hold the run */
    bool no_examples;        /* values of attributes are told to nobody */
    int64_t commit_us;       /* at most this long between commits */
    const atomic_bool *stop; /* the operator asked to stop */
    const struct env *env;
    /* thread: main, called a hundred times a second while workers run; may be NULL */
    void (*tick)(void *ctx, const struct run_progress *workers, uint32_t n,
                 const struct run_state *state);
    /* thread: main. Told what the sink does while no worker runs; may be NULL */
    void (*doing)(void *ctx, const char *what);
    /* thread: main. Told how far it is with its last steps; may be NULL */
    void (*finishing)(void *ctx, const struct sink_finishing *how);
    void *tick_ctx; /* of all three */
};

struct run_result {
    struct run_state state;
    uint64_t
        *counters; /* of the whole run, resumed parts included; owned: run_result_release */
    struct note_examples *examples; /* of what is counted; owned */
    struct sink_report report;
    struct verdict verdict;
    struct profile profile; /* of the whole run; owned. Not known before the run is over */
    int64_t wall_us;
    uint64_t idle_us, busy_us; /* of all workers */
    uint32_t segments;         /* finished in this process */
    bool metered;              /* the source counts what it uses */
    struct source_usage usage; /* by this process */
};

/* RC_OK; RC_FINISHED_BAD above the allowance; RC_CANCEL; else an error. */
enum rc run_export(const struct run_setup *setup, struct run_result *out,
                   struct err *err) MUST_CHECK;
void run_result_release(struct run_result *r);

#endif
