/* SPDX-License-Identifier: MIT */
/* The local file system. Here alone paths become descriptors. */
#define _DEFAULT_SOURCE /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/base/bytes_file.h"
#include "pipeline/source/files/origin.h"

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

static enum rc look(const struct origin *o, const char *name, struct bytes_facts *out,
                    struct err *err)
{
    (void)o;
    struct stat st;
    int bad = is_stdin(name) ? fstat(STDIN_FILENO, &st) : stat(name, &st);
    if (bad && errno == ENOENT)
        return RC_NONE;
    if (bad)
        return err_errno(err, RC_USAGE, errno, "cannot open \"%s\"", name);
    *out = bytes_file_facts(&st);
    if (is_stdin(name)) { /* even a file shares its offset with other processes there */
        out->again = false;
        out->size = 0;
    }
    return RC_OK;
}

static enum rc open_file(const struct origin *o, const char *name, struct bytes **out,
                         struct err *err)
{
    (void)o;
    int fd = is_stdin(name) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                            : open(name, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return bytes_file_new(fd, name, is_stdin(name), out, err);
    if (errno == EINTR)
        return RC_AGAIN;
    enum rc rc = errno == EMFILE || errno == ENFILE || errno == EIO ? RC_TRANSIENT : RC_USAGE;
    return err_errno(err, rc, errno, "cannot open \"%s\"", name);
}

/* Some names have no whole one, now and ever: those of pipes, say. */
static bool is_nameless(int why)
{
    return why == ENOENT || why == ENOTDIR || why == EACCES || why == ELOOP ||
           why == ENAMETOOLONG;
}

static enum rc whole_name(const struct origin *o, const char *name, struct buf *out,
                          struct err *err)
{
    (void)o;
    char whole[PATH_MAX];
    bool known = !is_stdin(name) && realpath(name, whole);
    if (!known && !is_stdin(name) && !is_nameless(errno))
        return err_errno(err, RC_TRANSIENT, errno, "cannot tell where \"%s\" lies", name);
    buf_puts(out, known ? whole : name);
    return buf_check(out, err);
}

static const struct origin_ops OPS = {
    .look = look, .open = open_file, .walk = origin_walk_local, .whole_name = whole_name};

const struct origin origin_local = {&OPS};
