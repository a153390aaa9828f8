/* SPDX-License-Identifier: MIT */
/*
 * Ends the process by SIGKILL where a file is put in the place of one whose path ends with
 * $KILL_AT: before that, or, with $KILL_AFTER set, when it has just happened. The product renames
 * by the folder's descriptor, so its path is asked for. With $KILL_NTH, a number from 1, it is that
 * rename of the process, whatever is renamed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True once, at the rename that $KILL_NTH counts. */
static int is_nth(void)
{
    static long seen;
    const char *nth = getenv("KILL_NTH"); /* NOLINT(concurrency-mt-unsafe) */
    return nth && ++seen == strtol(nth, NULL, 10);
}

static int is_here(int dir, const char *name)
{
    const char *at = getenv("KILL_AT"); /* NOLINT(concurrency-mt-unsafe) */
    char link[64], folder[4096], path[8192];
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    ssize_t got = readlink(link, folder, sizeof folder - 1);
    (void)snprintf(path, sizeof path, "%.*s/%s", got > 0 ? (int)got : 0, folder, name);
    size_t n = strlen(path), tail = at ? strlen(at) : 0;
    return at && n >= tail && strcmp(path + n - tail, at) == 0;
}

int renameat2(int oldfd, const char *old, int newfd, const char *new, unsigned flags)
{
    static int (*real)(int, const char *, int, const char *, unsigned);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "renameat2");
    int here = is_nth() || is_here(newfd, new);
    if (here && !getenv("KILL_AFTER")) /* NOLINT(concurrency-mt-unsafe) */
        (void)raise(SIGKILL);
    int code = real(oldfd, old, newfd, new, flags);
    if (here)
        (void)raise(SIGKILL);
    return code;
}
