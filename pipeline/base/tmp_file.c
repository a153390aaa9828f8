/* SPDX-License-Identifier: MIT */
/*
 * The name goes at once, so that a killed process leaves nothing behind. The folder is opened once,
 * and the name made in what was opened: whoever puts a link in its place meanwhile gains nothing.
 */
#define _GNU_SOURCE
#include "pipeline/base/tmp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include "pipeline/base/own_place.h"

enum { TRIES = 100 };

/* Opens the folder itself, by way of what it lies in. */
static int open_folder(const char *folder)
{
    struct own_place at;
    own_place_find(&at, folder);
    if (at.dir < 0)
        return -1;
    int flags = O_PATH | O_DIRECTORY | O_CLOEXEC | (at.ours ? O_NOFOLLOW : 0);
    return own_place_leave(&at, openat(at.dir, at.leaf, flags));
}

static int make_file(int dir)
{
    char name[32];
    unsigned random = 0;
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return -1;
        (void)snprintf(name, sizeof name, "tmp-%08x", random);
        fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    if (fd >= 0)
        (void)unlinkat(dir, name, 0);
    return fd;
}

FILE *tmp_file_open(const char *folder)
{
    struct own_place at = {.dir = open_folder(folder)};
    int fd = at.dir < 0 ? -1 : own_place_leave(&at, make_file(at.dir));
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
    if (fd >= 0 && !file) {
        const struct own_place made = {.dir = fd};
        (void)own_place_leave(&made, -1);
    }
    return file;
}
