/* SPDX-License-Identifier: MIT */
/*
 * A file is the same as long as device, number, size and modification time are. A pipe cannot
 * be compared; it is read once.
 */
#include "pipeline/source/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum rc input_stopped(const struct input *in, struct err *err)
{
    if (!in->stop || !atomic_load(in->stop))
        return RC_OK;
    return err_set(err, RC_CANCEL, "interrupted before \"%s\" said anything", in->path);
}

enum rc input_open(const struct input *in, int *fd, struct err *err)
{
    do { /* a named pipe waits here for its writer, and a signal wakes it */
        if (input_stopped(in, err) != RC_OK)
            return RC_CANCEL;
        if (strcmp(in->path, "-") == 0) {
            *fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
        } else {
            *fd = open(in->path, O_RDONLY | O_CLOEXEC);
        }
    } while (*fd < 0 && errno == EINTR);
    if (*fd >= 0)
        return RC_OK;
    enum rc rc = errno == EMFILE || errno == ENFILE || errno == EIO ? RC_TRANSIENT : RC_USAGE;
    return err_errno(err, rc, errno, "cannot open \"%s\"", in->path);
}

static int64_t mtime_of(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

void input_note(struct input *in, const struct stat *st)
{
    in->regular = S_ISREG(st->st_mode);
    in->size = in->regular ? (uint64_t)st->st_size : 0;
    in->mtime_ns = mtime_of(st);
    in->device = (uint64_t)st->st_dev;
    in->inode = (uint64_t)st->st_ino;
}

enum rc input_unchanged(const struct input *in, int fd, struct err *err)
{
    struct stat st;
    if (!in->regular)
        return RC_OK;
    if (fstat(fd, &st) != 0)
        return err_errno(err, RC_SOURCE, errno, "cannot look at \"%s\"", in->path);
    if ((uint64_t)st.st_size == in->size && mtime_of(&st) == in->mtime_ns &&
        (uint64_t)st.st_dev == in->device && (uint64_t)st.st_ino == in->inode) {
        return RC_OK;
    }
    (void)err_set(err, RC_SOURCE, "\"%s\" changed while it was read (%llu bytes, now %llu)",
                  in->path, (unsigned long long)in->size, (unsigned long long)st.st_size);
    return err_hint(err, "let the writer finish, then run again with --restart");
}
