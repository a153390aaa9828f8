/* SPDX-License-Identifier: MIT */
/*
 * Two locks are set on the file: flock keeps other processes out, and an open file description
 * lock can be asked about without being taken, so that looking never keeps a run from starting.
 */
#define _GNU_SOURCE
#include "sinks/store/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinks/store/fs_at.h"

static enum rc failed(int fd, const char *path, struct err *err)
{
    int code = errno;
    (void)close(fd);
    if (code == EWOULDBLOCK)
        return RC_AGAIN;
    return err_errno(err, RC_TRANSIENT, code, "cannot lock \"%s\"", path);
}

static enum rc not_ours(const char *path, struct err *err)
{
    (void)err_set(err, RC_USAGE, "\"%s\" was not written by renorm", path);
    return err_hint(err, "it stands where renorm keeps its lock: move it elsewhere");
}

/* Only what we wrote is written over: a file of its own that is empty or begins as ours do. */
static enum rc check_ours(int fd, const char *path, struct err *err)
{
    static const char BEGIN[] = "pid ";
    struct stat st;
    char text[sizeof BEGIN - 1];
    if (fstat(fd, &st) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot look at \"%s\"", path);
    if (!S_ISREG(st.st_mode) || st.st_nlink > 1)
        return not_ours(path, err);
    ssize_t n = pread(fd, text, sizeof text, 0);
    if (n < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot read \"%s\"", path);
    return memcmp(text, BEGIN, (size_t)n) == 0 ? RC_OK : not_ours(path, err);
}

enum rc file_lock_take(const char *path, mode_t mode, struct str who, int *fd, struct err *err)
{
    *fd = -1;
    /* a pipe would make open wait; it is refused below */
    int mine = fs_at_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
    if (mine < 0 && (errno == ELOOP || errno == EISDIR))
        return not_ours(path, err);
    if (mine < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot open \"%s\"", path);
    enum rc rc = check_ours(mine, path, err);
    if (rc) {
        (void)close(mine);
        return rc;
    }
    if (flock(mine, LOCK_EX | LOCK_NB) != 0)
        return failed(mine, path, err);
    struct flock told = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)fcntl(mine, F_OFD_SETLK, &told);
    /* the text is for people only, so a full disk must not keep a run from going on */
    if (ftruncate(mine, 0) == 0)
        (void)!pwrite(mine, who.p, who.n, 0);
    *fd = mine;
    return RC_OK;
}

void file_lock_who(const char *path, struct buf *out)
{
    struct err ignored;
    size_t before = out->len;
    if (fs_read(path, out, &ignored) || out->len == before)
        buf_puts(out, "another process");
}

bool file_lock_held(const char *path, long *pid)
{
    char text[64] = "";
    *pid = 0;
    int fd = fs_at_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return false;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (held && read(fd, text, sizeof text - 1) > 0)
        (void)sscanf(text, "pid %ld", pid);
    (void)close(fd);
    return held;
}
