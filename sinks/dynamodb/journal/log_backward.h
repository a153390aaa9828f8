/* SPDX-License-Identifier: MIT */
/*
 * A log from its end to its start, a block at a time. The checksum of a record is seeded by the
 * one before it, so every block is read together with one record more, for its claim.
 */
#ifndef SINKS_DYNAMODB_JOURNAL_LOG_BACKWARD_H
#define SINKS_DYNAMODB_JOURNAL_LOG_BACKWARD_H

#include "sinks/store/fs.h"

struct log_backward {
    int fd;
    uint64_t end; /* of what was not read yet */
    struct buf block;
    size_t *starts; /* of the lines of the block; the first is only there for its claim */
    size_t n, cap;
    size_t spare; /* 1 if there is such a first one */
    char path[FS_PATH];
};

void log_backward_init(struct log_backward *t);

/* `end`: where its good records end, as a reading forward has found. */
enum rc log_backward_open(struct log_backward *t, const char *path, uint64_t end,
                          struct err *err) MUST_CHECK;

/* The record before; valid until the next call. RC_END: that was the first. RC_SINK: damaged. */
enum rc log_backward_prev(struct log_backward *t, struct str *json, struct err *err) MUST_CHECK;
void log_backward_close(struct log_backward *t);

#endif
