/* SPDX-License-Identifier: MIT */
/*
 * One file (or pipe) that items are read from: where it is, what it looked like when the run
 * began, how it is packed and written. Filled once by the main thread, then only read.
 */
#ifndef SOURCE_INPUT_H
#define SOURCE_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/err.h"
#include "pipeline/source/format.h"

enum packing { PACK_NONE, PACK_GZIP, PACK_ZSTD };

struct input {
    const char *path; /* borrowed from the list's arena; "-" is standard input */
    bool regular;     /* can be read again and from anywhere */
    uint64_t size;
    int64_t mtime_ns;
    uint64_t device, inode;
    enum packing packing;
    enum format format;
    uint32_t skip;           /* bytes of a byte order mark */
    const atomic_bool *stop; /* ends waiting for a silent pipe; may be NULL; borrowed */
    /* from an export's manifest */
    bool listed;
    unsigned char md5[16];
    uint64_t items;
};

/* thread: any. Opens for reading; *fd is the caller's to close. Standard input is duplicated. */
enum rc input_open(const struct input *in, int *fd, struct err *err) MUST_CHECK;

/* thread: any. RC_SOURCE if the file behind fd is not what it was when the run began. */
enum rc input_unchanged(const struct input *in, int fd, struct err *err) MUST_CHECK;

/* thread: any. RC_CANCEL once the operator asked to stop. */
enum rc input_stopped(const struct input *in, struct err *err) MUST_CHECK;

/* Notes kind, size, time and number. */
struct stat;
void input_note(struct input *in, const struct stat *st);

#endif
