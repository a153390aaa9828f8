/* SPDX-License-Identifier: MIT */
/* Each call finds the folder that a path lies in, and then speaks of a name in it. */
#define _GNU_SOURCE
#include "sinks/store/fs_at.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "pipeline/base/own_place.h"

int fs_at_open(const char *path, int flags, mode_t mode)
{
    struct own_place at;
    own_place_find(&at, path);
    if (at.dir < 0)
        return -1;
    flags |= at.ours ? O_NOFOLLOW | O_CLOEXEC : O_CLOEXEC;
    return own_place_leave(&at, openat(at.dir, at.leaf, flags, mode));
}

int fs_at_mkdir(const char *path, mode_t mode)
{
    struct own_place at;
    own_place_find(&at, path);
    return at.dir < 0 ? -1 : own_place_leave(&at, mkdirat(at.dir, at.leaf, mode));
}

int fs_at_stat(const char *path, struct stat *st)
{
    struct own_place at;
    own_place_find(&at, path);
    return at.dir < 0 ? -1
                      : own_place_leave(&at, fstatat(at.dir, at.leaf, st, AT_SYMLINK_NOFOLLOW));
}

int fs_at_unlink(const char *path)
{
    struct own_place at;
    own_place_find(&at, path);
    return at.dir < 0 ? -1 : own_place_leave(&at, unlinkat(at.dir, at.leaf, 0));
}

enum pair { PAIR_LINK, PAIR_RENAME, PAIR_EXCHANGE };

static int call_pair(enum pair what, const struct own_place *a, const struct own_place *b)
{
    if (what == PAIR_LINK)
        return linkat(a->dir, a->leaf, b->dir, b->leaf, 0);
    return renameat2(a->dir, a->leaf, b->dir, b->leaf,
                     what == PAIR_EXCHANGE ? RENAME_EXCHANGE : 0);
}

static int with_both(enum pair what, const char *from, const char *to)
{
    struct own_place a, b;
    own_place_find(&a, from);
    if (a.dir < 0)
        return -1;
    own_place_find(&b, to);
    int result = b.dir < 0 ? -1 : call_pair(what, &a, &b);
    return own_place_leave(&a, own_place_leave(&b, result));
}

int fs_at_link(const char *from, const char *to)
{
    return with_both(PAIR_LINK, from, to);
}

int fs_at_rename(const char *from, const char *to)
{
    return with_both(PAIR_RENAME, from, to);
}

int fs_at_exchange(const char *from, const char *to)
{
    return with_both(PAIR_EXCHANGE, from, to);
}

static int remove_entry(int dir, const char *name);

/* Removes what the folder holds; `fd` is taken. */
static int empty(int fd)
{
    DIR *d = fdopendir(fd);
    struct dirent *e;
    int result = 0;
    if (!d) {
        const struct own_place at = {.dir = fd};
        return own_place_leave(&at, -1);
    }
    /* one DIR is read by one thread only */
    while (!result && (e = readdir(d))) { /* NOLINT(concurrency-mt-unsafe) */
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            result = remove_entry(dirfd(d), e->d_name);
        if (result && errno == ENOENT)
            result = 0;
    }
    int why = errno;
    (void)closedir(d);
    errno = why;
    return result;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the folders, each of which holds a descriptor */
static int remove_entry(int dir, const char *name)
{
    if (unlinkat(dir, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -1;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || empty(fd) != 0)
        return -1;
    return unlinkat(dir, name, AT_REMOVEDIR);
}

int fs_at_remove(const char *path)
{
    struct own_place at;
    own_place_find(&at, path);
    return at.dir < 0 ? -1 : own_place_leave(&at, remove_entry(at.dir, at.leaf));
}
