/* SPDX-License-Identifier: MIT */
/*
 * Where rows go. The sink owns the ledger, for progress and data become durable together.
 * Run level: one object, used by the main thread unless said otherwise. Worker level: one
 * object per worker, used by its thread alone.
 */
#ifndef RUN_SINK_H
#define RUN_SINK_H

#include <poll.h>
#include <stdatomic.h>

#include "pipeline/run/reasons.h"

struct sink;
struct sink_worker;

/* What a run is; compared with the ledger's to decide between resuming and refusing. */
struct run_info {
    const struct schema *schema;
    struct str model_hash;      /* hex sha256 of the canonical model */
    struct str source_identity; /* of the source */
    struct str source_text;     /* as given on the command line, without secrets; for people */
    struct str options;         /* canonical text of the options that change rows */
    int64_t now_us;             /* start time; a resumed run gets the ledger's instead */
    bool now_given;             /* by the operator: a resumed run of another is refused */
    uint32_t segments;          /* 0 if not known yet */
    uint32_t workers;
    bool restart;    /* abandon an unfinished run of another identity */
    bool resumable;  /* false: standard input */
    int64_t same_us; /* a run of this identity is the same load for so long; 0: always */
    const char *version;
    const atomic_bool *stop; /* the operator asked to stop; may be NULL */
};

/* What the ledger said when the sink was opened. */
struct run_state {
    bool resumed;
    bool complete;  /* all segments are done already: only finish and publish are left */
    int64_t now_us; /* the run's start time: TTL and every `now` use it */
    uint64_t *
        counters; /* sums over all committed segments; schema_counters numbers; owned by the sink */
    uint64_t resumed_items;    /* CNT_READ of the above when resumed */
    uint32_t segments;         /* fixed for the life of a run; 0 if not known */
    uint32_t resumed_segments; /* done when resumed; 0 if the sink does not say */
};

enum claim_state { CLAIM_MINE, CLAIM_DONE, CLAIM_OTHER };

struct claim {
    enum claim_state state;
    uint32_t epoch;
    struct str
        resume; /* owned by the sink, valid until the segment is done; empty at the start */
};

/* How far a segment got with the rows since the last commit. */
struct mark {
    uint32_t segment;
    uint32_t epoch;
    bool done;
    struct str resume;        /* borrowed until commit returns */
    const uint64_t *counters; /* what this commit adds; schema_counters numbers */
};

/* What became of the run, for the summary. */
struct table_total {
    uint64_t rows, bytes, files;
};

struct sink_report {
    struct table_total *tables; /* one per table of the schema; filled by finish and publish */
    uint64_t conflicts;         /* values that lost */
    uint64_t missing_mirrors;
    uint64_t orphans;
    uint64_t duplicates;
    uint64_t not_added;            /* rows that gave way to rows of the target */
    uint64_t replaced;             /* rows of the target that gave way */
    const struct reasons *reasons; /* NULL, or the sink's own, valid until it is closed */
    bool published;
    bool held;       /* above the allowance: kept, not shown */
    char note[1024]; /* lines for people: what to do next; may be empty */
};

/* Decided after the last segment: may this be shown to readers? */
struct verdict {
    bool above_allowance; /* more rejects or unrouted items than allowed */
    uint64_t rejected, unrouted;
};

struct sink_ops {
    /* Opens the target, finds or makes the run. RC_USAGE: refused (exit 2), RC_TRANSIENT: under way elsewhere. */
    enum rc (*open)(struct sink *s, const struct run_info *info, struct run_state *state,
                    struct err *err);
    /* thread: any. Takes a segment for this process. */
    enum rc (*claim)(struct sink *s, uint32_t segment, struct claim *claim, struct err *err);
    /* thread: main, before the workers start. Returns owned, or NULL with err set. */
    struct sink_worker *(*worker)(struct sink *s, uint32_t index, struct err *err);
    /*
     * NULL where no other process can share a run. Else, after the last segment of this process:
     * waits for the others and gives what all segments of the run counted together.
     */
    enum rc (*sums)(struct sink *s, uint64_t *counters, struct err *err);
    /* After all segments are done and all workers closed: reductions, checks, keys. Repeatable. */
    enum rc (*finish)(struct sink *s, const struct verdict *v, struct sink_report *report,
                      struct err *err);
    /* Shows the result to readers, in one step; or holds it (report->held). */
    enum rc (*publish)(struct sink *s, const struct verdict *v, struct sink_report *report,
                       struct err *err);
    /* Always; also after a failure. What is not published stays for a resume. */
    void (*close)(struct sink *s);
};

/*
 * The main thread is busy in a sink for as long as it opens (recovers) and finishes (reduces): what
 * takes long asks for the stop flag, which is RC_CANCEL, and says what it does.
 */
struct sink_watch {
    const atomic_bool *stop; /* NULL: never */
    void (*doing)(void *ctx, const char *what);
    void *ctx;
};

struct sink {
    const struct sink_ops *ops;
    struct sink_watch watch; /* set by the run before open */
    const char *kind;        /* "jsonl", "postgresql", "null" */
    bool keep_nulls;         /* tells NULL from missing */
    bool keyless;            /* looks at the source keys of candidates only, not of rows */
};

static inline enum rc sink_go_on(const struct sink *s, struct err *err)
{
    if (!s->watch.stop || !atomic_load_explicit(s->watch.stop, memory_order_relaxed))
        return RC_OK;
    return err_set(err, RC_CANCEL, "interrupted");
}

static inline void sink_doing(const struct sink *s, const char *what)
{
    if (s->watch.doing)
        s->watch.doing(s->watch.ctx, what);
}

struct sink_worker_ops {
    /* Encodes and keeps the rows of one page, or a part of it; nothing of the batch is borrowed afterwards. */
    enum rc (*rows)(struct sink_worker *w, const struct batch *batch, struct err *err);
    /* True when a commit is due by bytes (the worker loop adds time). */
    bool (*full)(const struct sink_worker *w);
    /*
     * Makes everything since the last commit durable, together with the marks. RC_OK: done.
     * RC_AGAIN: under way, call step until it returns RC_OK; rows may be called meanwhile
     * (double buffering) unless full says otherwise; a second commit may not be begun.
     * RC_CANCEL: a segment was lost to another process; nothing was committed.
     * RC_END: the ledger is behind, for the server forgot what it had acknowledged. All rows since
     * are dropped: every segment of the worker is to be claimed and started again.
     */
    enum rc (*commit)(struct sink_worker *w, const struct mark *marks, size_t n,
                      struct err *err);
    /*
     * Moves I/O on without blocking: RC_OK nothing under way, RC_AGAIN still busy, else as commit.
     * Called between pages, and between the batches of one.
     */
    enum rc (*step)(struct sink_worker *w, struct err *err);
    /* Descriptors to wait for while step says RC_AGAIN; returns their number (at most cap). */
    size_t (*fds)(struct sink_worker *w, struct pollfd *fds, size_t cap);
    void (*close)(struct sink_worker *w);
};

struct sink_worker {
    const struct sink_worker_ops *ops;
};

#endif
