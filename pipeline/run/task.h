/* SPDX-License-Identifier: MIT */
/*
 * A task: what is done with the pages of a source. The engine (engine.h) has the threads, keeps
 * segments started, takes pages, waits, stops and gives up; the task has what it knows better:
 * what a segment's claim is, what becomes of a page, what is under way behind it, and what all of
 * it came to. A task and its workers embed the structures below as their first member.
 */
#ifndef RUN_TASK_H
#define RUN_TASK_H

#include <poll.h>

#include "pipeline/run/claim.h"
#include "pipeline/source/source.h"

struct task;
struct task_worker;

/* Where the engine is with a worker, when it lets the task move on. */
enum task_phase {
    TASK_READING, /* more pages may come */
    TASK_READ,    /* the source has no more and every page is done: what is left to be done? */
    TASK_STOPPING, /* the operator, another worker's error, or a task that has enough: nothing new
                      is begun, what is under way comes to its end */
    TASK_FAILED /* this worker did, perhaps before `begin` was through: what must be kept is */
};

/* What the task says back. */
enum task_state {
    TASK_IDLE, /* nothing is under way; in any phase but the first the worker is done */
    TASK_BUSY, /* something is: it goes on while pages are taken */
    TASK_FULL /* it must end first: no page is taken, and its descriptors are waited for even if
                  the reader has pages to hand out */
};

struct task_worker_ops {
    /* thread: worker, as all but close. Before the first page; may be NULL. */
    enum rc (*begin)(struct task_worker *w, struct err *err);
    /*
     * A page of a segment that was claimed. RC_OK: done with it. RC_AGAIN: it is kept, and given
     * back by task_page_done. RC_END: done with it, and no worker needs any more. An error: the
     * engine takes the page back.
     */
    enum rc (*page)(struct task_worker *w, struct page *page, struct err *err);
    /* Moves on what is under way, without blocking. NULL: there is never anything. */
    enum rc (*step)(struct task_worker *w, enum task_phase phase, enum task_state *state,
                    struct err *err);
    /* What to wait for besides the reader; returns their number, at most cap. May be NULL. */
    size_t (*fds)(struct task_worker *w, struct pollfd *fds, size_t cap);
    /* When step wants to be called at the latest (monotonic); INT64_MAX: by events. May be NULL. */
    int64_t (*due_us)(const struct task_worker *w);
    /* thread: main, when all workers have ended. Gives back the pages it still has, and frees the
       worker, which is all that NULL does. */
    void (*close)(struct task_worker *w);
};

/* A short list of segments. */
struct task_segments {
    uint32_t *v;
    size_t n, cap;
};

struct task_worker {
    const struct task_worker_ops *ops;
    /* the engine's; a task may read them */
    struct reader *reader;      /* owned by the engine */
    struct task_segments open;  /* started, and their last page is not done */
    struct task_segments again; /* to be claimed and started once more */
    bool no_more;               /* there is no segment left to take */
    int64_t idle_us, busy_us;   /* how long it waited; how long it lived */
};

struct task_ops {
    /* thread: worker. The next segment, as source_ops.take; NULL: of the source. */
    enum rc (*take)(struct task *t, struct task_worker *w, uint32_t *segment, struct err *err);
    /*
     * thread: worker. May this segment be read, and from where? One that is not CLAIM_MINE is
     * passed over. NULL: each may, from its start.
     */
    enum rc (*claim)(struct task *t, struct task_worker *w, uint32_t segment,
                     struct claim *claim, struct err *err);
    /* thread: main, before any starts. Borrows the reader. Returns owned, or NULL with err set. */
    struct task_worker *(*worker)(struct task *t, struct reader *reader, uint32_t index,
                                  struct err *err);
    /* thread: main, once when they have started, then a hundred times a second while workers run. May
     * be NULL. */
    void (*tick)(struct task *t);
    /*
     * thread: main, when all workers are closed, whatever happened. `rc` and err are what they came
     * to, `stopped` that the operator asked for it; returns what the task comes to. NULL: rc.
     */
    enum rc (*conclude)(struct task *t, enum rc rc, bool stopped, struct err *err);
};

struct task {
    const struct task_ops *ops;
    uint64_t idle_us, busy_us; /* of all workers; set by the engine before conclude */
};

/* For task_ops.worker: room for a worker of `size` bytes, zeros but for its ops. Returns owned (free
 * it in close), or NULL with err set. */
void *task_worker_new(size_t size, const struct task_worker_ops *ops, struct err *err);

/* thread: worker. Gives back a page that was kept; with its last page a segment ends. */
void task_page_done(struct task_worker *w, struct page *page);

/*
 * thread: worker, with no page of it in work. What was read of the segment is void, it will be
 * claimed and started once more, even if it had ended. Listing one twice does no harm.
 */
enum rc task_go_back(struct task_worker *w, uint32_t segment) MUST_CHECK;

/* For the engine. RC_NOMEM. */
enum rc task_segments_add(struct task_segments *s, uint32_t segment) MUST_CHECK;

#endif
