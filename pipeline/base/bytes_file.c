/* SPDX-License-Identifier: MIT */
/*
 * A file is the same as long as device, number, size and modification time are. A pipe that
 * stays silent must not hold up its reader, so it is polled before it is read.
 */
#include "pipeline/base/bytes_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 50 }; /* how long one call waits for a pipe */

struct bytes_file {
    struct bytes base;
    int fd;
    bool once;
    char name[];
};

static struct bytes_file *of(struct bytes *b)
{
    return (struct bytes_file *)(void *)b;
}

struct bytes_facts bytes_file_facts(const struct stat *st)
{
    struct bytes_facts f = {.again = S_ISREG(st->st_mode), .folder = S_ISDIR(st->st_mode)};
    f.size = f.again ? (uint64_t)st->st_size : 0;
    f.mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    f.number[0] = (uint64_t)st->st_dev;
    f.number[1] = (uint64_t)st->st_ino;
    return f;
}

static enum rc wait_for_pipe(const struct bytes_file *f, struct err *err)
{
    struct pollfd p = {.fd = f->fd, .events = POLLIN};
    int n = poll(&p, 1, PATIENCE_MS);
    if (n < 0 && errno != EINTR)
        return err_errno(err, RC_SOURCE, errno, "cannot wait for \"%s\"", f->name);
    return n > 0 ? RC_OK : RC_AGAIN;
}

static enum rc read_at(struct bytes *b, uint64_t at, char *p, size_t n, size_t *got,
                       struct err *err)
{
    struct bytes_file *f = of(b);
    ssize_t have;
    *got = 0;
    enum rc rc = f->once ? wait_for_pipe(f, err) : RC_OK;
    if (rc)
        return rc;
    do {
        have = f->once ? read(f->fd, p, n) : pread(f->fd, p, n, (off_t)at);
    } while (have < 0 && errno == EINTR);
    if (have < 0 && errno == EAGAIN)
        return RC_AGAIN;
    if (have < 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot read \"%s\"", f->name);
    *got = (size_t)have;
    return have > 0 ? RC_OK : RC_END;
}

static void expect(struct bytes *b, uint64_t at, uint64_t n)
{
    (void)posix_fadvise(of(b)->fd, (off_t)at, (off_t)n, POSIX_FADV_WILLNEED);
}

static enum rc facts(struct bytes *b, struct bytes_facts *now, struct err *err)
{
    struct bytes_file *f = of(b);
    struct stat st;
    if (fstat(f->fd, &st) != 0)
        return err_errno(err, RC_SOURCE, errno, "cannot look at \"%s\"", f->name);
    *now = bytes_file_facts(&st);
    if (f->once) {
        now->again = false;
        now->size = 0;
    }
    return RC_OK;
}

static void close_file(struct bytes *b)
{
    (void)close(of(b)->fd);
    free(of(b));
}

enum rc bytes_file_new(int fd, const char *name, bool once, struct bytes **out, struct err *err)
{
    static const struct bytes_ops OPS = {
        .read_at = read_at, .expect = expect, .facts = facts, .close = close_file};
    struct stat st;
    size_t n = strlen(name) + 1;
    struct bytes_file *f = malloc(sizeof *f + n);
    if (!f || fstat(fd, &st) != 0) {
        enum rc rc = f ? err_errno(err, RC_SOURCE, errno, "cannot look at \"%s\"", name)
                       : err_nomem(err);
        (void)close(fd);
        free(f);
        return rc;
    }
    f->base.ops = &OPS;
    f->fd = fd;
    f->once = once || !S_ISREG(st.st_mode);
    memcpy(f->name, name, n);
    if (!f->once)
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    *out = &f->base;
    return RC_OK;
}
