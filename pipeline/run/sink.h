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

#include "pipeline/profile/extras.h"
#include "pipeline/row/key_repeats.h"
#include "pipeline/row/reasons.h"
#include "pipeline/run/claim.h"
#include "pipeline/run/shown.h"
#include "pipeline/run/verdict.h"

struct sink;
struct sink_worker;

/* What a run is; compared with the ledger's to decide between resuming and refusing. */
struct run_info {
    const struct schema *schema;
    struct str model_hash;      /* hex sha256 of the canonical model */
    struct str source_identity; /* of the source */
    struct str source_text;     /* as given on the command line, without secrets; for people */
    struct str options;         /* canonical text of the options that change rows */
    struct str judged;          /* the same of those that decide whether it is shown */
    int64_t now_us;             /* start time; a resumed run gets the ledger's instead */
    bool now_given;             /* by the operator: a resumed run of another is refused */
    uint32_t segments;          /* 0 if not known yet */
    uint32_t workers;
    bool partial;       /* only some of the model's tables: all others stay as they are */
    bool restart;       /* abandon an unfinished run of another identity */
    bool resumable;     /* false: standard input */
    int64_t same_us;    /* a run of this identity is the same load for so long; 0: always */
    int64_t max_age_us; /* of a run that may still be gone on with; 0: any */
    int64_t source_us;  /* how new the source is; 0: not known */
    int64_t clock_us;   /* now, whatever the operator says that now is */
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

/* How far a segment got with the rows since the last commit. */
struct mark {
    uint32_t segment;
    uint32_t epoch;
    bool done;
    struct str resume;           /* borrowed until commit returns */
    const uint64_t *counters;    /* what this commit adds; schema_counters numbers */
    const struct extras *extras; /* the first mark: what this commit adds; else NULL */
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
    uint64_t not_added; /* rows that gave way to rows of the target */
    uint64_t replaced;  /* rows of the target that gave way */
    uint64_t deleted;   /* rows of the target whose keys did not come again */
    /* NULL, or the sink's own, valid until it is closed: */
    const struct reasons *reasons;
    bool no_examples;                 /* set by the run: examples of them are not wanted */
    const struct reasons *orphans_by; /* rows without a parent, by constraint and table */
    char rejects_place[96], orphans_place[96]; /* where both can be looked at; may be empty */
    bool published;
    bool held;       /* kept, not shown: the verdict says why */
    char note[2048]; /* lines for people: what to do next; may be empty */
};

/* Adds a line to the notes. */
void sink_note(struct sink_report *report, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A note for each table with keys that came more than once. */
void sink_note_repeats(struct sink_report *report, const struct key_repeats *repeats);

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
     * waits for the others and gives what all segments of the run counted together. RC_AGAIN: there
     * are segments whose process has gone. They stand in *left, valid until the next call, and are
     * to be claimed and read before it is called again. left NULL: that is an error.
     */
    enum rc (*sums)(struct sink *s, uint64_t *counters, struct claim_list *left,
                    struct err *err);
    /*
     * NULL: the sink keeps none. Else, when all segments are done: adds to *out what of all their
     * items went to `extra`.
     */
    enum rc (*extras)(struct sink *s, struct extras *out, struct err *err);
    /* Appends the profile of the run that readers see now, as profile_keep was given it; NULL: the
       sink remembers none. Nothing is appended where there is no such run. */
    enum rc (*profile_last)(struct sink *s, struct buf *json, struct err *err);
    /* Before the result is shown or held: the profile belongs to it. Copies. */
    enum rc (*profile_keep)(struct sink *s, struct str json, struct err *err);
    /* After all segments are done and all workers closed: reductions, checks, keys. Repeatable. */
    enum rc (*finish)(struct sink *s, struct verdict *v, struct sink_report *report,
                      struct err *err);
    /*
     * NULL where showing a run takes nothing away. Else the tables that readers see now and that
     * the result will take the place of, with their rows.
     */
    enum rc (*shown)(struct sink *s, struct shown *out, struct err *err);
    /*
     * Shows the result to readers, in one step. RC_FINISHED_BAD: it may not be, and nothing has
     * changed; a guard that stands in the way says so in the verdict.
     */
    enum rc (*publish)(struct sink *s, struct verdict *v, struct sink_report *report,
                       struct err *err);
    /*
     * Keeps the result from readers, with the reasons, until it is judged anew by the same run or
     * taken as it is by `renorm publish`. NULL: this sink has no such place, and shows it.
     */
    enum rc (*hold)(struct sink *s, const struct verdict *v, struct sink_report *report,
                    struct err *err);
    /* NULL where the report says it all. After a run that was finished, shown or not: adds to the
     * report what has to be looked for; what cannot be found is left out. */
    void (*explain)(struct sink *s, struct sink_report *report);
    /* Always; also after a failure. What is not published stays for a resume. */
    void (*close)(struct sink *s);
};

/* How far the last steps are; of several under way the longest is told. */
struct sink_finishing {
    const char *step;    /* for people: "key of orders" */
    double step_share;   /* of it, 0 to 1; negative where the server does not say */
    double done;         /* of all, 0 to 1 */
    double seconds_left; /* negative: not known yet */
    uint32_t others;     /* under way beside it */
    uint32_t steps, steps_done;
    uint32_t connections, memory_mb, parallel; /* memory and parallel workers of each */
};

/*
 * The main thread is busy in a sink for as long as it opens (recovers) and finishes (reduces): what
 * takes long asks for the stop flag, which is RC_CANCEL, and says what it does.
 */
struct sink_watch {
    const atomic_bool *stop; /* NULL: never */
    void (*doing)(void *ctx, const char *what);
    void (*finishing)(void *ctx, const struct sink_finishing *how); /* may be NULL */
    void *ctx;
};

/* What showing a result does to what readers saw before. */
enum sink_effect {
    SINK_REPLACES, /* it goes, all of it */
    SINK_MERGES,   /* rows take the place of rows with their keys, all others stay */
    SINK_ADDS      /* nothing goes */
};

/*
 * Rows that are left out when copies are held against the items of their table. Each is asked for
 * once; `is` may be NULL. For whoever knows that another will drop those rows.
 */
struct sink_unowned {
    bool (*is)(void *ctx, uint32_t table, struct str line);
    void *ctx;
};

struct sink {
    const struct sink_ops *ops;
    enum sink_effect effect;
    struct sink_watch watch; /* set by the run before open */
    struct sink_unowned unowned;
    const char *kind; /* "jsonl", "postgresql", "null" */
    bool keep_nulls;  /* tells NULL from missing */
    bool keyless;     /* looks at the source keys of candidates only, not of rows */
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

/* What became of a commit; a sink that fails says so by its rc. */
enum commit_outcome {
    COMMIT_DONE,      /* what it carried is durable; of a step also: there was none under way */
    COMMIT_UNDER_WAY, /* step moves it on; see rows and full for what may be done meanwhile */
    /* A segment is another process's now, nothing was committed. The rc is RC_TRANSIENT. */
    COMMIT_FENCED,
    /*
     * The ledger is behind, for the server forgot what it had acknowledged. All rows since are
     * dropped: every segment of the worker is to be claimed and started again.
     */
    COMMIT_FORGOTTEN
};

struct sink_worker_ops {
    /* Encodes and keeps the rows of one page, or a part of it; nothing of the batch is borrowed afterwards. */
    enum rc (*rows)(struct sink_worker *w, const struct batch *batch, struct err *err);
    /* True when a commit is due by bytes (the worker loop adds time). NULL: never. */
    bool (*full)(const struct sink_worker *w);
    /*
     * Makes everything since the last commit durable, together with the marks. While it is under
     * way rows may be called (double buffering) unless full says otherwise; a second commit may
     * not be begun.
     */
    enum rc (*commit)(struct sink_worker *w, const struct mark *marks, size_t n,
                      enum commit_outcome *outcome, struct err *err);
    /* Moves a commit on without blocking. Called between pages, and between the batches of one.
     * NULL, as fds: commit itself has done all. */
    enum rc (*step)(struct sink_worker *w, enum commit_outcome *outcome, struct err *err);
    /* Descriptors to wait for while a commit is under way; returns their number (at most cap). */
    size_t (*fds)(struct sink_worker *w, struct pollfd *fds, size_t cap);
    void (*close)(struct sink_worker *w);
};

struct sink_worker {
    const struct sink_worker_ops *ops;
};

/* Call the operation of that name, if there is one. */
static inline bool sink_worker_full(const struct sink_worker *w)
{
    return w->ops->full && w->ops->full(w);
}

static inline enum rc sink_worker_step(struct sink_worker *w, enum commit_outcome *outcome,
                                       struct err *err)
{
    *outcome = COMMIT_DONE;
    return w->ops->step ? w->ops->step(w, outcome, err) : RC_OK;
}

static inline size_t sink_worker_fds(struct sink_worker *w, struct pollfd *fds, size_t cap)
{
    return w->ops->fds ? w->ops->fds(w, fds, cap) : 0;
}

#endif
