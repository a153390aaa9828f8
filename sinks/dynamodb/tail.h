/* SPDX-License-Identifier: MIT */
/*
 * A log from its end to its start, a block at a time. The checksum of a record is seeded by the
 * one before it, so every block is read together with one record more, for its claim.
 */
#ifndef DYNAMODB_TAIL_H
#define DYNAMODB_TAIL_H

#include "sinks/fs.h"

struct tail {
    int fd;
    uint64_t end; /* of what was not read yet */
    struct buf block;
    size_t *starts; /* of the lines of the block; the first is only there for its claim */
    size_t n, cap;
    size_t spare; /* 1 if there is such a first one */
    char path[FS_PATH];
};

void tail_init(struct tail *t);

/* `end`: where its good records end, as a reading forward has found. */
enum rc tail_open(struct tail *t, const char *path, uint64_t end, struct err *err) MUST_CHECK;

/* The record before; valid until the next call. RC_END: that was the first. RC_SINK: damaged. */
enum rc tail_prev(struct tail *t, struct str *json, struct err *err) MUST_CHECK;
void tail_close(struct tail *t);

#endif
