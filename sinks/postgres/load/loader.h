/* SPDX-License-Identifier: MIT */
/* The inside of a worker: what it sends, how far it got, and the marks it must make durable. */
#ifndef SINKS_POSTGRES_LOAD_LOADER_H
#define SINKS_POSTGRES_LOAD_LOADER_H

#include "sinks/postgres/load/copy_rows.h"
#include "sinks/postgres/wire/copy.h"

enum pg_phase {
    PG_IDLE = 0,
    PG_CONNECT,
    PG_SETTINGS,
    PG_REFENCE,
    PG_BEGIN,
    PG_COPY,
    PG_SENDING,
    PG_COPIED,
    PG_MARKS,
    PG_COMMIT,
    PG_ROLLBACK,
    PG_PAUSE
};

struct pg_mark {
    uint32_t segment;
    uint32_t epoch;
    uint64_t commits; /* of the segment before this commit */
};

struct pg_worker {
    struct sink_worker base;
    struct pg_run *run;
    uint32_t index;
    char name[64];
    size_t limit; /* bytes of a set that make a commit due */
    struct pg_rows rows;

    struct pg_io io;
    enum pg_phase phase;
    struct pg_answer answer;
    uint32_t turn;   /* how many streams were looked at for this commit */
    uint32_t stream; /* which is being sent */
    size_t at;
    bool unsure; /* the last commit may or may not have happened */
    bool failed;
    enum commit_outcome
        ended; /* how the last commit ended; FENCED and FORGOTTEN are told once */
    int64_t connect_until, trouble_since, pause_until, pause_us;

    struct pg_mark *marks;
    size_t nmarks, cap_marks;
    struct buf resumes, dones, counters; /* array literals for the update */
};

/* segment_marks.c: copies the marks; they are sent with the epochs known then. */
enum rc pg_marks_keep(struct pg_worker *w, const struct mark *marks, size_t n, bool *fenced,
                      struct err *err) MUST_CHECK;
void pg_marks_release(struct pg_worker *w);
void pg_marks_send(struct pg_worker *w);

/* Raises the epochs on a new connection. */
void pg_marks_refence(struct pg_worker *w);

/* What the ledger says about the last commit, and those before it. */
enum pg_settled {
    PG_LANDED,    /* it had happened */
    PG_MISSED,    /* it had not: the rows are sent again */
    PG_FORGOTTEN, /* nor had others that were acknowledged: the ledger is behind us */
    PG_TAKEN,     /* a segment is no longer ours */
    PG_EMPTIED    /* a crash has emptied the unlogged tables */
};

/* Reads its answer. */
enum pg_settled pg_marks_settle(struct pg_worker *w);

/* The commit is acknowledged. */
void pg_marks_committed(struct pg_worker *w);

#endif
