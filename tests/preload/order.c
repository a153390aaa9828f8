/* SPDX-License-Identifier: MIT */
/*
 * Writes down, in the order they happen, what reached the disk and what left for the network: a line
 * "synced PATH BYTES" after each fdatasync, and "sent KEY" before each UpdateItem, into the file
 * $ORDER_FILE.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *text, size_t n)
{
    const char *path = getenv("ORDER_FILE"); /* NOLINT(concurrency-mt-unsafe) */
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    (void)!write(fd, text, n);
    (void)close(fd);
}

int fdatasync(int fildes)
{
    static int (*real)(int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
    struct stat st;
    int known = fstat(fildes, &st); /* what is written meanwhile may not be part of it */
    int code = real(fildes);
    char link[64], path[4096], line[4200];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fildes);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (code == 0 && known == 0 && n > 0) {
        int len = snprintf(line, sizeof line, "synced %.*s %lld\n", (int)n, path,
                           (long long)st.st_size);
        put(line, (size_t)len);
    }
    return code;
}

ssize_t send(int fd, const void *buf, size_t n, int flags)
{
    static ssize_t (*real)(int, const void *, size_t, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "send");
    const char *key = memmem(buf, n, "\"Key\":", 6);
    const char *end = (const char *)buf + n;
    const char *stop =
        key ? memmem(key, (size_t)(end - key), ",\"UpdateExpression\"", 19) : NULL;
    char line[4096];
    if (stop && stop - key < 4000) {
        int len = snprintf(line, sizeof line, "sent %.*s\n", (int)(stop - key - 6), key + 6);
        put(line, (size_t)len);
    }
    return real(fd, buf, n, flags);
}
