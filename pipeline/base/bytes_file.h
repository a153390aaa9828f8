/* SPDX-License-Identifier: MIT */
/* The bytes of a local file or pipe, by its descriptor. */
#ifndef BASE_BYTES_FILE_H
#define BASE_BYTES_FILE_H

#include "pipeline/base/bytes.h"

/*
 * Takes fd, in any case; `name` is for messages. `once`: it is read as it comes, even if it is a
 * file (whose offset others share). *out is owned by the caller. Failed reads are RC_TRANSIENT.
 */
enum rc bytes_file_new(int fd, const char *name, bool once, struct bytes **out,
                       struct err *err) MUST_CHECK;

struct stat;
struct bytes_facts bytes_file_facts(const struct stat *st);

#endif
