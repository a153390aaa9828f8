/* SPDX-License-Identifier: MIT */
/*
 * The export as a task of the engine: a page becomes rows, rows go to the sink, and the sink makes
 * them durable together with the marks of their segments.
 */
#ifndef RUN_EXPORT_PRIVATE_H
#define RUN_EXPORT_PRIVATE_H

#include <pthread.h>

#include "pipeline/run/marks.h"
#include "pipeline/run/model_fit.h"
#include "pipeline/run/run.h"
#include "pipeline/run/task.h"

/* What its workers share. */
struct export_task {
    struct task base; /* first */
    const struct run_setup *setup;
    struct run_result *out; /* its state is read by all, the rest set by the main thread */
    struct run_progress *progress; /* one for each worker */
    struct model_fit fit;
    uint32_t ncounters;
    pthread_mutex_t mu;
    uint64_t *counters; /* lock: mu. What this process committed */
    const struct claim_list
        *left;    /* NULL: the source's segments are read, one after the other */
    size_t taken; /* lock: mu. How many of those */
};

struct export_worker {
    struct task_worker base; /* first */
    struct export_task *task;
    struct run_progress *progress;
    struct sink_worker *sink;
    struct transform *transform; /* made by the worker's thread, for its memory is used there */
    struct marks marks;
    struct marks flying;   /* what the commit under way carries */
    struct extras extras;  /* since the last commit */
    struct extras carried; /* by the commit under way */
    bool committing;
    bool forgotten; /* the ledger is behind: all segments are to be started again */
    int64_t last_commit;
};

/* Reads what the ledger lacks, of `left` only (borrowed) or, if that is NULL, of the whole source. out
 * is prepared: its state is the ledger's, its counters what that holds. */
enum rc export_read(const struct run_setup *setup, struct run_result *out,
                    const struct claim_list *left, struct err *err) MUST_CHECK;

/* Why a run that was stopped is not finished: RC_CANCEL. */
enum rc export_interrupted(const struct run_setup *setup, struct err *err);

/* thread: main. Returns owned, or NULL with err set. */
struct task_worker *export_worker_new(struct export_task *t, uint32_t index, struct err *err);

/* ---- commits; thread: worker ---- */

/* Is one due by the clock? */
bool export_commit_due(const struct export_worker *w);

/* Begins one with all that was marked since the last. None may be under way. */
enum rc export_commit_begin(struct export_worker *w, struct err *err) MUST_CHECK;

/* Moves the one under way on, also in the middle of a page: if the ledger turns out to be behind,
 * w->forgotten is set and export_commit_rewind has to follow. */
enum rc export_commit_step(struct export_worker *w, struct err *err) MUST_CHECK;

/* Back to where the ledger is: no page is in work, and the sink has dropped what it had. */
enum rc export_commit_rewind(struct export_worker *w, struct err *err) MUST_CHECK;

/* What the one under way is waited for by; 0: there is none. */
size_t export_commit_fds(struct export_worker *w, struct pollfd *fds, size_t cap);

#endif
