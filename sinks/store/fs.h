/* SPDX-License-Identifier: MIT */
/*
 * Files and folders for a sink that must survive a crash at any moment: everything that is
 * said to be done is on the disk. Failures are RC_TRANSIENT with the path and the system's
 * words, for a full disk can be emptied and the run resumed. Nothing is written or removed
 * through a link that stands where renorm's own file or folder should (fs_at.h).
 */
#ifndef SINKS_STORE_FS_H
#define SINKS_STORE_FS_H

#include <stdint.h>
#include <sys/types.h>

#include "pipeline/base/buf.h"

enum { FS_PATH = 4096 };

/* Prints a path; one that is too long is cut, and then fails where it is used. */
void fs_path(char out[FS_PATH], const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Makes the folder and its parents; one that is there is fine. */
enum rc fs_mkdirs(const char *path, struct err *err) MUST_CHECK;

enum rc fs_write(int fd, struct str bytes, const char *path, struct err *err) MUST_CHECK;
enum rc fs_sync_dir(const char *path, struct err *err) MUST_CHECK;

/* The same for the folder that the path lies in. */
enum rc fs_sync_parent(const char *path, struct err *err) MUST_CHECK;

/* Appends the whole file. RC_NONE: there is none. */
enum rc fs_read(const char *path, struct buf *out, struct err *err) MUST_CHECK;

/* Replaces the file in one step: readers see the old or the new text, never a part. */
enum rc fs_replace(const char *path, struct str text, struct err *err) MUST_CHECK;

/* Moves `from` to `to`, the other way round too if `to` exists. Durable once both folders are synced. */
enum rc fs_exchange(const char *from, const char *to, struct err *err) MUST_CHECK;

/* The same, durable afterwards. */
enum rc fs_swap(const char *from, const char *to, struct err *err) MUST_CHECK;

/* Removes a file, a link, or a folder with all it holds; no link is followed; none is fine. */
enum rc fs_remove(const char *path, struct err *err) MUST_CHECK;

/* The entries of a folder, without . and .., sorted by bytes. RC_NONE: no such folder. */
struct fs_list {
    char **names; /* owned */
    size_t n;
};
enum rc fs_list(const char *path, struct fs_list *out, struct err *err) MUST_CHECK;
void fs_list_release(struct fs_list *list);

/* Lists that are made by hand. */
enum rc fs_list_add(struct fs_list *list, const char *name, struct err *err) MUST_CHECK;
void fs_list_sort(struct fs_list *list);
bool fs_list_has(const struct fs_list *list, const char *name);

#endif
