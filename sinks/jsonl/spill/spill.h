/* SPDX-License-Identifier: MIT */
/*
 * Rows of more tables than a worker has compressors wait in one file per worker, the spill, until the
 * last segment is done; then they become parts of one table each. The file is a chain of groups, each
 * the rows of a while sorted by stream:
 *
 *   group   mark, number of blocks, bytes of all of them
 *   block   stream, rows, bytes, hash; then the bytes, one block for each stream that has rows
 *
 * What the ledger says of its length is sure; what lies behind never happened. Numbers are as the
 * machine has them, for a run is not moved to another kind of machine.
 */
#ifndef SINKS_JSONL_SPILL_SPILL_H
#define SINKS_JSONL_SPILL_SPILL_H

#include "sinks/jsonl/parts.h"

enum { SPILL_MARK = 0x4C4C5053 /* "SPLL" */ };

struct spill_group {
    uint32_t mark, nblocks;
    uint64_t size; /* of what follows */
};

struct spill_block {
    uint32_t stream, rows, size;
    uint32_t unused; /* 0 */
    uint64_t hash;   /* XXH3 of the bytes */
};

/* A row that waits: where it begins; it ends where the next one does. */
struct spill_row {
    uint32_t stream, at;
};

/* One worker's. Some streams are direct: they have compressors of their own. */
struct spill_writer {
    struct jsonl *s;
    struct buf rows; /* append a row, then spill_writer_added */
    struct spill_row *index;
    size_t n, cap;
    uint32_t nstreams;
    bool *direct;
    uint32_t ndirect, most; /* how many are, and may be */
    bool used;              /* some row has come here */
    uint64_t *bytes;        /* per stream, since the last commit, wherever they went */
    uint32_t *counts;       /* per stream: rows written since the last record */
    uint32_t *places;       /* per stream, while sorting */
    uint32_t *order;        /* the rows sorted by stream */
    size_t cap_order;
    struct buf out;          /* a group */
    struct store_object *to; /* owned; NULL: none */
    struct jsonl_file file;
    bool dirty;     /* it has bytes that no record speaks of */
    uint64_t since; /* bytes of rows since the last commit */
};

/* `most`: streams that may have a compressor of their own. */
enum rc spill_writer_init(struct spill_writer *w, struct jsonl *s, uint32_t most,
                          struct err *err) MUST_CHECK;
void spill_writer_release(struct spill_writer *w);

/* May the stream open a part? Who comes first may, as long as there are compressors. */
bool spill_writer_direct(struct spill_writer *w, uint32_t stream);

/* A row of the stream was appended to `rows`, which was `before` bytes long until then. */
enum rc spill_writer_added(struct spill_writer *w, uint32_t stream, size_t before,
                           struct err *err) MUST_CHECK;

/* Before a commit: streams with many rows of late get the compressors of those with few. */
enum rc spill_writer_balance(struct spill_writer *w, struct jsonl_parts *parts,
                             struct err *err) MUST_CHECK;

/* Writes what waits into the job; appends the file to those that changed. */
enum rc spill_writer_gather(struct spill_writer *w, struct jsonl_parts *parts,
                            struct sync_thread *job, struct err *err) MUST_CHECK;

/* How many rows of which streams the record adds to the spill. */
void spill_writer_record(struct spill_writer *w, struct buf *record);

/* A place in a group. */
struct spill_cursor {
    uint32_t file; /* among those of the reader */
    uint32_t left; /* blocks, that of `head` included; 0: it is done */
    uint64_t at;   /* of the bytes of `head` */
    struct spill_block head;
};

enum { SPILL_OPEN = 8 };

/* All spills of a run, stream by stream. One thread's. */
struct spill_reader {
    struct jsonl *s;
    struct jsonl_file *files;
    size_t nfiles;
    struct {
        size_t file; /* 1 + which; 0: none */
        struct bytes *bytes;
    } open[SPILL_OPEN];
    struct spill_cursor *cursors;
    size_t ncursors, cap_cursors, next;
    struct buf rows;
};

/* lock: s->mu is taken and left. RC_SINK: one is damaged. */
enum rc spill_reader_init(struct spill_reader *r, struct jsonl *s, struct err *err) MUST_CHECK;
void spill_reader_release(struct spill_reader *r);

/* Goes to a stream, which must be behind the last one; *total: bytes of its rows. */
enum rc spill_reader_seek(struct spill_reader *r, uint32_t stream, uint64_t *total,
                          struct err *err) MUST_CHECK;

/* Some rows of it, valid until the next call. RC_END: no more. */
enum rc spill_reader_next(struct spill_reader *r, uint32_t stream, struct str *rows,
                          uint32_t *n, struct err *err) MUST_CHECK;

#endif
