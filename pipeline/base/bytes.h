/* SPDX-License-Identifier: MIT */
/*
 * Bytes that are asked for by place and length: a file, a pipe, an object in a bucket, a piece
 * of memory. Whoever reads them knows neither paths nor descriptors.
 *
 * How a backend over the network fits: `expect` begins its transfers, `read_at` hands out what
 * has arrived and says RC_AGAIN where nothing has, after waiting a moment at most (a pipe waits
 * 50 ms). Readers repeat what said RC_AGAIN, possibly from an earlier place of the range that
 * was expected last: what is behind the place that was `passed` last must be kept. A version that is no
 * longer the one that was opened (S3: 412 after If-Match) is RC_SOURCE, or shows in `facts`.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipeline/base/err.h"

/* What tells one version from another. */
struct bytes_facts {
    bool again;         /* it has a size, and can be read from anywhere, more than once */
    bool folder;        /* it holds others and no bytes */
    uint64_t size;      /* 0 unless again */
    int64_t mtime_ns;   /* of the last change */
    uint64_t number[2]; /* device and number of a file; a hash of an object's ETag */
};

struct bytes;

struct bytes_ops {
    /*
     * Up to n (not 0) bytes from offset `at` on, into p. RC_OK with 1 to n of them; RC_END
     * behind the last; RC_AGAIN: none yet. Unless it can be read again, `at` must be where the
     * last call ended.
     */
    enum rc (*read_at)(struct bytes *b, uint64_t at, char *p, size_t n, size_t *got,
                       struct err *err);
    /* A hint: these bytes are read next, in order. */
    void (*expect)(struct bytes *b, uint64_t at, uint64_t n);
    /* What it is now. */
    enum rc (*facts)(struct bytes *b, struct bytes_facts *now, struct err *err);
    void (*close)(struct bytes *b);
    /* A hint: nothing before this place will be asked for again. NULL: it means nothing here. */
    void (*passed)(struct bytes *b, uint64_t before);
};

/* One user at a time; any number may be open on the same file. */
struct bytes {
    const struct bytes_ops *ops;
};

struct buf;

/* Appends all of them, waiting where need be; out's ceiling bounds it. */
enum rc bytes_read_all(struct bytes *b, struct buf *out, struct err *err) MUST_CHECK;

static inline void bytes_passed(struct bytes *b, uint64_t before)
{
    if (b->ops->passed)
        b->ops->passed(b, before);
}

static inline void bytes_close(struct bytes *b)
{
    if (b)
        b->ops->close(b);
}

#endif
