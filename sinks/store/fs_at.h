/* SPDX-License-Identifier: MIT */
/*
 * Names in a place that somebody else may have prepared: in our own part of a path
 * (pipeline/base/own_place.h) no link is followed, not even one that takes the place of a folder
 * while renorm works.
 */
#ifndef SINKS_STORE_FS_AT_H
#define SINKS_STORE_FS_AT_H

#include <sys/stat.h>

#include "sinks/store/fs.h"

/* As open(2); the descriptor is closed on exec. A link in our own place: ELOOP or ENOTDIR. */
int fs_at_open(const char *path, int flags, mode_t mode);

/* As the calls of these names; a link at the end of a path is a link. */
int fs_at_mkdir(const char *path, mode_t mode);
int fs_at_stat(const char *path, struct stat *st);
int fs_at_unlink(const char *path);
int fs_at_link(const char *from, const char *to);
int fs_at_rename(const char *from, const char *to);

/* Changes places; both must be there. EINVAL, ENOSYS: the file system cannot. */
int fs_at_exchange(const char *from, const char *to);

/* Removes a file, a link, or a folder with all it holds; -1 with ENOENT if there is none. */
int fs_at_remove(const char *path);

#endif
