/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file or pipe, unpacked: plain, gzip (ISA-L; several members) or zstd (several
 * frames), told apart by their first bytes and not by name. One user at a time.
 */
#ifndef SOURCE_FILES_INFLATE_H
#define SOURCE_FILES_INFLATE_H

#include "pipeline/base/buf.h"
#include "pipeline/source/files/input.h"

struct inflate;

/*
 * Opens in (its path is borrowed). read_bytes is the size of reads, 0 for the default. *out is
 * owned by the caller.
 */
enum rc inflate_open(const struct input *in, size_t read_bytes, struct inflate **out,
                     struct err *err) MUST_CHECK;
void inflate_free(struct inflate *f);

/* Known once something was read. */
enum packing inflate_packing(const struct inflate *f);

/* What is being read; valid until inflate_free. */
struct bytes *inflate_bytes(const struct inflate *f);

/*
 * RC_OK with 1 to n bytes; RC_END; RC_AGAIN from a pipe that has nothing for now (after a short
 * wait). RC_SOURCE names file and offset of data that are cut short, damaged, or followed by
 * something else.
 */
enum rc inflate_read(struct inflate *f, char *p, size_t n, size_t *got,
                     struct err *err) MUST_CHECK;

/* Puts bytes that were read back in front (once, at the start): they are read again. */
enum rc inflate_unread(struct inflate *f, struct str head, struct err *err) MUST_CHECK;

/* Packed bytes used so far. */
uint64_t inflate_used(const struct inflate *f);

/* After RC_END: the MD5 of the packed bytes; only kept for inputs that a manifest lists. */
enum rc inflate_md5(struct inflate *f, unsigned char md5[16], struct err *err) MUST_CHECK;

#endif
