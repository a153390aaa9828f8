/* SPDX-License-Identifier: MIT */
/*
 * The row buffers of a worker: for each table of the model, each extract, the items and the
 * rejects one COPY stream, ready to be sent. Two sets of them: one is sent while the other is
 * filled.
 */
#ifndef SINKS_POSTGRES_LOAD_COPY_ROWS_H
#define SINKS_POSTGRES_LOAD_COPY_ROWS_H

#include "sinks/postgres/postgres_private.h"

struct pg_stream {
    struct buf data;
    uint64_t rows;
};

struct pg_set {
    struct pg_stream *streams; /* pg_rows.nstreams */
    size_t bytes;
};

struct pg_rows {
    struct pg_run *run;
    uint32_t nstreams;
    uint32_t items, rejects, extras; /* which streams these are */
    char **copy;                     /* the COPY command of each stream */
    struct pg_set sets[2];
    struct pg_set *filling, *sending;
    struct buf clean; /* text made fit for the server */
};

enum rc pg_rows_init(struct pg_rows *rows, struct pg_run *run, struct err *err) MUST_CHECK;
void pg_rows_release(struct pg_rows *rows);

/* Encodes a batch into the set being filled. */
enum rc pg_rows_add(struct pg_rows *rows, const struct batch *batch,
                    struct err *err) MUST_CHECK;

/* The same for what of a commit went to `extra`. */
void pg_rows_extras(struct pg_rows *rows, const struct extras *extras);

/* The set being filled becomes the one being sent; that one must be empty. */
void pg_rows_turn(struct pg_rows *rows);
void pg_set_clear(const struct pg_rows *rows, struct pg_set *set);

#endif
