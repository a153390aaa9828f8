/* SPDX-License-Identifier: MIT */
/*
 * The files a worker has open: one per stream, at most so many at a time, begun anew when
 * they are large enough. A file that is full, or least used when another must be opened, is
 * ended at once; the ledger learns of it with the next record.
 */
#ifndef SINKS_JSONL_PARTS_H
#define SINKS_JSONL_PARTS_H

#include "sinks/jsonl/jsonl_private.h"
#include "sinks/store/sync_thread.h"

struct jsonl_part {
    struct zst_writer z; /* append a line to z.in, then jsonl_parts_added */
    struct jsonl_file file;
    uint64_t used; /* tick of the last row */
    bool ready;    /* z is initialised */
    bool open, dirty;
};

/* A file ended since the last record. */
struct jsonl_ended {
    struct jsonl_file file;
    struct store_object *object; /* owned; NULL: finished already */
};

struct jsonl_parts {
    struct jsonl *s;
    struct jsonl_part *parts;
    uint32_t nparts;
    int *part_of; /* per stream */
    struct jsonl_ended *ended;
    size_t nended, cap_ended;
    struct jsonl_file *changed; /* of the last gather; has room for one more */
    size_t nchanged;
    uint64_t tick;
    uint64_t since; /* uncompressed bytes since the last gather */
};

enum rc jsonl_parts_init(struct jsonl_parts *p, struct jsonl *s, struct err *err) MUST_CHECK;
void jsonl_parts_release(struct jsonl_parts *p);

enum rc jsonl_parts_open(struct jsonl_parts *p, uint32_t stream, struct jsonl_part **out,
                         struct err *err) MUST_CHECK;

/* The stream's open file, opened if need be. */
static inline enum rc jsonl_parts_get(struct jsonl_parts *p, uint32_t stream,
                                      struct jsonl_part **out, struct err *err)
{
    int at = p->part_of[stream];
    if (at < 0)
        return jsonl_parts_open(p, stream, out, err);
    *out = &p->parts[at];
    return RC_OK;
}

/* A row was appended; z.in was `before` bytes long until then. */
enum rc jsonl_parts_added(struct jsonl_parts *p, struct jsonl_part *part, size_t before,
                          struct err *err) MUST_CHECK;

/* Appends n rows. */
enum rc jsonl_parts_add(struct jsonl_parts *p, struct jsonl_part *part, struct str rows,
                        uint32_t n, struct err *err) MUST_CHECK;

/* Ends the stream's open file, if there is one. */
enum rc jsonl_parts_end_stream(struct jsonl_parts *p, uint32_t stream,
                               struct err *err) MUST_CHECK;

/* Ends every open file. */
enum rc jsonl_parts_end(struct jsonl_parts *p, struct err *err) MUST_CHECK;

/*
 * Flushes what changed since the last time, into the job and into p->changed. Where the store
 * keeps finished objects only, this ends every open file.
 */
enum rc jsonl_parts_gather(struct jsonl_parts *p, struct sync_thread *job,
                           struct err *err) MUST_CHECK;

#endif
