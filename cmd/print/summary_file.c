/* SPDX-License-Identifier: MIT */
/* The file is renamed when it is whole, so that a reader never sees half of it. */
#include "cmd/print/summary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/store/fs.h"

bool summary_file_is_stream(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return false;
    /* /dev/stdout and /dev/fd/3 are links; one that lies elsewhere may be anybody's */
    if (S_ISLNK(st.st_mode)) {
        struct str name = str_of(path);
        return str_starts(name, STR("/dev/")) || str_starts(name, STR("/proc/"));
    }
    return !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

enum { TRIES = 100 };

/*
 * Makes a file beside the final name, under one that nothing has: what stands there already, be
 * it a link, is somebody else's. -1: errno says why.
 */
static int make_beside(const char *path, struct buf *name)
{
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        buf_clear(name);
        buf_addf(name, "%s.%ld.%d.new", path, (long)getpid(), i);
        fd = open(buf_cstr(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

enum rc summary_file_check(const char *option, const char *path, struct err *err)
{
    struct stat st;
    struct buf name;
    enum rc rc = RC_OK;
    if (!path)
        return RC_OK;
    buf_init(&name, 8192);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        rc = err_set(err, RC_USAGE, "cannot write \"%s\": it is a folder", path);
    if (!rc && !summary_file_is_stream(path)) {
        int fd = make_beside(path, &name);
        if (fd < 0) {
            rc = err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", path);
        } else {
            (void)close(fd);
            (void)unlink(buf_cstr(&name));
        }
    }
    if (rc == RC_USAGE)
        (void)err_hint(err, "--%s takes the name of a file in a folder that is there", option);
    buf_release(&name);
    return rc;
}

enum rc summary_file_write(const char *path, const struct buf *text, struct err *err)
{
    struct buf name;
    bool stream = summary_file_is_stream(path);
    enum rc rc = buf_check(text, err);
    if (rc)
        return rc;
    buf_init(&name, 8192);
    /* a stream is written to as it is */
    int fd = stream ? open(path, O_WRONLY | O_CLOEXEC | O_APPEND) : make_beside(path, &name);
    if (fd < 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (!rc)
        rc = fs_write(fd, buf_view(text), path, err);
    if (fd >= 0 && close(fd) != 0 && !rc)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (!rc && !stream && rename(buf_cstr(&name), path) != 0)
        rc = err_errno(err, RC_TRANSIENT, errno, "cannot write \"%s\"", path);
    if (rc && fd >= 0 && !stream)
        (void)unlink(buf_cstr(&name));
    buf_release(&name);
    return rc;
}

enum rc summary_file_end(const char *path, const struct buf *text, enum rc rc, struct err *err)
{
    struct err late = {0};
    enum rc written = path ? summary_file_write(path, text, &late) : RC_OK;
    if (rc || !written)
        return rc;
    *err = late;
    return written;
}
