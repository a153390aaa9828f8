/* SPDX-License-Identifier: MIT */
/*
 * A disk that is full for as long as the file $NOSPACE_FLAG exists: writes at an offset fail with
 * ENOSPC, as those of a database server into its tables do. For machines where no small file
 * system can be mounted.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static int full(void)
{
    const char *flag = getenv("NOSPACE_FLAG"); /* NOLINT(concurrency-mt-unsafe) */
    return flag && access(flag, F_OK) == 0;
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pwrite");
    if (full()) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, buf, n, offset);
}

ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t offset)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
    if (full()) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, buf, n, offset);
}
