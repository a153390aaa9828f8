/* SPDX-License-Identifier: MIT */
/*
 * A rename is durable once its folder is synced, so every function that moves or makes names
 * syncs the folder too, but for fs_exchange, which is called for one folder after another.
 * Exchange is a Linux call; where the file system does not know it the old folder is moved aside
 * first, and a crash between the two moves shows as "no such folder", which the caller's
 * repetition heals.
 */
#include "sinks/store/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/store/fs_at.h"

void fs_path(char out[FS_PATH], const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(out, FS_PATH, fmt, ap);
    va_end(ap);
}

static enum rc failed(struct err *err, const char *what, const char *path)
{
    return err_errno(err, RC_TRANSIENT, errno, "cannot %s \"%s\"", what, path);
}

enum rc fs_mkdirs(const char *path, struct err *err)
{
    char part[FS_PATH];
    fs_path(part, "%s", path);
    if (fs_at_mkdir(part, 0777) == 0 ||
        errno == EEXIST) /* most have their folder there already */
        return RC_OK;
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (fs_at_mkdir(part, 0777) != 0 && errno != EEXIST)
            return failed(err, "make the folder", part);
        *p = '/';
    }
    if (fs_at_mkdir(part, 0777) != 0 && errno != EEXIST)
        return failed(err, "make the folder", part);
    return RC_OK;
}

enum rc fs_write(int fd, struct str bytes, const char *path, struct err *err)
{
    while (bytes.n) {
        ssize_t n = write(fd, bytes.p, bytes.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(err, "write to", path);
        bytes = str_from(bytes, (size_t)n);
    }
    return RC_OK;
}

enum rc fs_sync_dir(const char *path, struct err *err)
{
    int fd = fs_at_open(path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return failed(err, "open", path);
    enum rc rc = fsync(fd) == 0 ? RC_OK : failed(err, "sync", path);
    close(fd);
    return rc;
}

enum rc fs_sync_parent(const char *path, struct err *err)
{
    char dir[FS_PATH];
    fs_path(dir, "%s", path);
    char *slash = strrchr(dir, '/');
    if (!slash)
        return fs_sync_dir(".", err);
    slash[slash == dir] = '\0';
    return fs_sync_dir(dir, err);
}

enum rc fs_read(const char *path, struct buf *out, struct err *err)
{
    int fd = fs_at_open(path, O_RDONLY, 0);
    if (fd < 0)
        return errno == ENOENT ? RC_NONE : failed(err, "open", path);
    enum rc rc = RC_OK;
    for (;;) {
        if (!buf_room(out, 1 << 16)) {
            rc = buf_check(out, err);
            break;
        }
        ssize_t n = read(fd, out->p + out->len, 1 << 16);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            rc = failed(err, "read", path);
        if (n <= 0)
            break;
        out->len += (size_t)n;
    }
    close(fd);
    return rc;
}

enum rc fs_replace(const char *path, struct str text, struct err *err)
{
    char tmp[FS_PATH];
    fs_path(tmp, "%s.new", path);
    /* what a crash left goes by its name: if it is a link, what it leads to stays as it is */
    if (fs_at_unlink(tmp) != 0 && errno != ENOENT)
        return failed(err, "remove", tmp);
    int fd = fs_at_open(tmp, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0)
        return failed(err, "make", tmp);
    enum rc rc = fs_write(fd, text, tmp, err);
    if (!rc && fsync(fd) != 0)
        rc = failed(err, "sync", tmp);
    close(fd);
    if (!rc && fs_at_rename(tmp, path) != 0)
        rc = failed(err, "rename to", path);
    return rc ? rc : fs_sync_parent(path, err);
}

static int exchange(const char *from, const char *to)
{
    if (fs_at_exchange(from, to) == 0)
        return 0;
    if (errno == ENOENT)
        return fs_at_rename(from, to);
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    char aside[FS_PATH];
    fs_path(aside, "%s.old", from);
    if (fs_at_rename(to, aside) != 0 || fs_at_rename(from, to) != 0)
        return -1;
    return fs_at_rename(aside, from);
}

enum rc fs_exchange(const char *from, const char *to, struct err *err)
{
    return exchange(from, to) == 0 ? RC_OK : failed(err, "move the finished output to", to);
}

enum rc fs_swap(const char *from, const char *to, struct err *err)
{
    enum rc rc = fs_exchange(from, to, err);
    if (!rc)
        rc = fs_sync_parent(to, err);
    return rc ? rc : fs_sync_parent(from, err);
}

enum rc fs_remove(const char *path, struct err *err)
{
    if (fs_at_remove(path) != 0 && errno != ENOENT)
        return failed(err, "remove", path);
    return RC_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum rc fs_list_add(struct fs_list *list, const char *name, struct err *err)
{
    if (list->n % 64 == 0) {
        char **more = realloc(list->names, (list->n + 64) * sizeof *more);
        if (!more)
            return err_nomem(err);
        list->names = more;
    }
    list->names[list->n] = strdup(name);
    if (!list->names[list->n])
        return err_nomem(err);
    list->n++;
    return RC_OK;
}

/* NULL: there is none if errno is 0, else it cannot be read. One DIR is read by one thread only. */
static struct dirent *next_entry(DIR *d)
{
    errno = 0;
    return readdir(d); /* NOLINT(concurrency-mt-unsafe) */
}

enum rc fs_list(const char *path, struct fs_list *out, struct err *err)
{
    *out = (struct fs_list){0};
    int fd = fs_at_open(path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return errno == ENOENT ? RC_NONE : failed(err, "open", path);
    DIR *d = fdopendir(fd);
    if (!d) {
        (void)close(fd);
        return err_nomem(err);
    }
    enum rc rc = RC_OK;
    struct dirent *e;
    while (!rc && (e = next_entry(d))) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            rc = fs_list_add(out, e->d_name, err);
    }
    /* half a list would pass for all there is */
    if (!rc && errno != 0)
        rc = failed(err, "read", path);
    closedir(d);
    if (rc) {
        fs_list_release(out);
    } else {
        fs_list_sort(out);
    }
    return rc;
}

void fs_list_sort(struct fs_list *list)
{
    if (list->n)
        qsort(list->names, list->n, sizeof *list->names, by_name);
}

bool fs_list_has(const struct fs_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->names[i], name) == 0)
            return true;
    }
    return false;
}

void fs_list_release(struct fs_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free(list->names);
    *list = (struct fs_list){0};
}
