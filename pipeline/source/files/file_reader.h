/* SPDX-License-Identifier: MIT */
/*
 * What the source of files and its readers share. Plain files of lines have the first segments,
 * slice by slice. Streams follow: one segment each, or, when they are few, one segment for every
 * slice; slice k of stream i is then segment `plain + k * streams + i`, whatever the length of
 * the others.
 */
#ifndef SOURCE_FILES_FILE_READER_H
#define SOURCE_FILES_FILE_READER_H

#include <pthread.h>
#include <stdatomic.h>

#include "pipeline/source/files/find/inputs.h"
#include "pipeline/source/files/stream.h"
#include "pipeline/source/source.h"

struct shared_stream {
    const struct input *in;
    pthread_mutex_t mu;
    struct inflate *opened; /* lock: mu. A pipe that was looked into; NULL otherwise */
    struct stream *stream;  /* lock: mu. NULL before the first slice and after the last */
    uint32_t next;          /* lock: mu. Slices handed out */
    bool ended;             /* lock: mu */
    struct err failed;      /* lock: mu. The first failure: all who come later get it too */
    bool over;              /* lock: files->mu. As ended, for those who choose */
    unsigned users;         /* lock: files->mu. Readers at work on it */
};

/* Where the slices of a plain file begin. */
struct plain_file {
    const struct input *in;
    uint32_t first;
};

struct files {
    struct source base;
    struct inputs inputs;
    struct limits limits;
    struct buf identity, description, notice;
    struct plain_file *plain;
    size_t nplain;
    uint32_t plain_segments;
    struct shared_stream *streams;
    size_t nstreams;
    bool linked;      /* readers open inputs by links */
    bool whole;       /* a stream is one segment */
    uint32_t readers; /* linked ones that were made */
    pthread_mutex_t mu;
    uint32_t next;               /* lock: mu. Plain slices and whole streams handed out */
    atomic_uint_fast64_t passed; /* bytes done before that no page has told yet */
};

/* The plain file, the file, and the bytes of it (packed; 0: not known) that a segment stands for. */
const struct plain_file *files_plain(const struct files *f, uint32_t segment);
const struct input *files_input(const struct files *f, uint32_t segment);
uint64_t files_bytes(const struct files *f, uint32_t segment);

/*
 * thread: any. The stream to take slices from: one nobody reads, else the one with the fewest
 * readers; NULL when all are over. To be left again.
 */
struct shared_stream *shared_choose(struct files *f);
void shared_leave(struct files *f, struct shared_stream *s, bool over);

/* thread: any. Inflates the next slice with anything in it, and numbers it; RC_END, RC_AGAIN. */
enum rc shared_next(struct files *f, struct shared_stream *s, struct page *page,
                    uint32_t *segment, struct err *err) MUST_CHECK;

/* Returns owned, or NULL with err set. */
struct reader *file_reader_new(struct files *files, struct err *err);

/* thread: any, with a reader of its own. See source_ops.take. */
enum rc file_reader_take(struct files *files, struct reader *r, uint32_t *segment,
                         struct err *err) MUST_CHECK;

#endif
