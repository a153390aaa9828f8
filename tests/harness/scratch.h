/* SPDX-License-Identifier: MIT */
/* A private folder for a test, gone when the test releases it. Failures end the test. */
#ifndef HARNESS_SCRATCH_H
#define HARNESS_SCRATCH_H

#include "pipeline/base/str.h"

struct scratch {
    char dir[256];
    char path[512]; /* of the last call of scratch_path */
};

void scratch_init(struct scratch *s);
void scratch_release(struct scratch *s);

/* The path of `name` in the folder; valid until the next call. */
const char *scratch_path(struct scratch *s, const char *name);

/* Writes a file; folders on the way are made. Returns its path as above. */
const char *scratch_write(struct scratch *s, const char *name, struct str data);

/* As above, packed: one gzip member, or one zstd frame. */
const char *scratch_gzip(struct scratch *s, const char *name, struct str data);
const char *scratch_zstd(struct scratch *s, const char *name, struct str data);

struct buf;

/* Appends all of a file, wherever it is. */
void scratch_read(const char *path, struct buf *out);

void scratch_add_gzip(struct buf *out, struct str data);
void scratch_add_zstd(struct buf *out, struct str data);

#endif
