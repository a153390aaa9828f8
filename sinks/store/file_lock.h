/* SPDX-License-Identifier: MIT */
/* A file by which one process keeps others out of a folder, and which says who it is. */
#ifndef SINKS_STORE_FILE_LOCK_H
#define SINKS_STORE_FILE_LOCK_H

#include <sys/types.h>

#include "pipeline/base/buf.h"

/*
 * Takes the lock and writes `who` into the file. The lock lasts until *fd is closed. RC_AGAIN:
 * another process has it; err is not set. RC_USAGE: a link or somebody else's file stands there,
 * and is left as it is. *fd is -1 unless RC_OK.
 */
enum rc file_lock_take(const char *path, mode_t mode, struct str who, int *fd,
                       struct err *err) MUST_CHECK;

/* Appends who has it, as the file says. */
void file_lock_who(const char *path, struct buf *out);

/* Whether a process has it, and its number if the file says so; takes nothing. */
bool file_lock_held(const char *path, long *pid);

#endif
