/* SPDX-License-Identifier: MIT */
/*
 * Where items come from. A source is opened once, by the main thread, and knows its segments:
 * the unit of reading, progress and resuming. Each worker has a reader of its own. A reader
 * never blocks for long: `next` hands out a page of any started segment, or RC_AGAIN.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include <poll.h>

#include "pipeline/source/page.h"

struct source;
struct reader;

/* What a live table was asked for so far, by this process. */
struct source_usage {
    double units;   /* read capacity units consumed */
    double allowed; /* units a second the budget allows now */
    uint64_t throttles, retries;
};

struct source_ops {
    /*
     * thread: any. The next segment nobody took in this process, in order. RC_OK with
     * *segment, RC_AGAIN (none now, but more may come), RC_END. A segment handed out must be
     * started or skipped by the same reader before that reader takes another.
     */
    enum rc (*take)(struct source *s, struct reader *r, uint32_t *segment, struct err *err);
    /* thread: main. A reader for one worker; returns owned, or NULL with err set. */
    struct reader *(*reader)(struct source *s, struct err *err);
    void (*free)(struct source *s);

    /* The rest may be NULL: a source that has nothing to say. */

    /*
     * thread: main, before the readers. The ledger knows a run of this source, begun at
     * started_us with so many segments: take them over, or refuse (RC_USAGE).
     */
    enum rc (*resume)(struct source *s, uint32_t segments, int64_t started_us, struct err *err);
    /* thread: main, many times a second while workers run. Must not block for long. */
    enum rc (*tick)(struct source *s, struct err *err);
    /* thread: main, after the last segment. Is it still what was opened? */
    enum rc (*confirm)(struct source *s, struct err *err);
    /* thread: any. */
    void (*usage)(struct source *s, struct source_usage *out);
};

struct source {
    const struct source_ops *ops;
    const char *kind;    /* "files", "dynamodb", ... */
    struct str identity; /* what makes it the same source again: part of the run's identity */
    struct str description; /* for people: "8 files, 1.2 GB" */
    struct str notice;      /* for people: what is not read; may be empty */
    uint32_t segments;      /* how many there will be, 0 if not known yet */
    uint64_t bytes;         /* input bytes in all, for progress; 0 if not known */
    bool resumable;         /* false: standard input */
    bool plain;             /* items are plain JSON, without type tags */
    int64_t same_us;    /* how long it can be taken for unchanged; 0: its identity says so */
    int64_t max_age_us; /* of a run that may be resumed; 0: any */
    int64_t as_of_us; /* how new what it holds is; 0: it does not say, or is as new as can be */
    uint32_t ahead;   /* how many segments a reader wants started at once (1 for files) */
    struct str ttl;   /* TTL attribute the source itself knows of; may be empty */
    struct str *key;  /* key attributes the source knows of; may be none */
    size_t nkey;
    const struct source_part *
        *parts; /* what it is made of: entities may name them; may be none */
    size_t nparts;
    struct str *indexing; /* these and the key attributes of its indexes */
    size_t nindexing;
};

struct reader_ops {
    /* Begins (or resumes) a segment that this reader took. resume is empty at its start. */
    enum rc (*start)(struct reader *r, uint32_t segment, struct str resume, struct err *err);
    /* Drops a segment that this reader took: it was done in an earlier run. */
    void (*skip)(struct reader *r, uint32_t segment);
    /*
     * RC_OK with a page (borrowed until given back), RC_AGAIN, RC_END when no segment is
     * started. The last page of a segment has `last` set, and may hold no item.
     */
    enum rc (*next)(struct reader *r, struct page **page, struct err *err);
    void (*give_back)(struct reader *r, struct page *page);
    /*
     * Waits until `next` may have something, one of `extra` is ready, or timeout_ms passed.
     * Files return at once. For several readers of one process this is the one wait.
     */
    enum rc (*wait)(struct reader *r, struct pollfd *extra, size_t nextra, int timeout_ms,
                    struct err *err);
    /* thread: any. Ends a wait. */
    void (*wake)(struct reader *r);
    /* Ends a segment before its end (it was lost to another process). Its pages are void. */
    void (*stop)(struct reader *r, uint32_t segment);
    void (*free)(struct reader *r);
};

struct reader {
    const struct reader_ops *ops;
};

#endif
