/* SPDX-License-Identifier: MIT */
/*
 * A path is taken apart where our part begins: what stands before is opened as it is, every further
 * folder by its name in the one before.
 */
#define _GNU_SOURCE
#include "pipeline/base/own_place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HOLD = O_PATH | O_DIRECTORY | O_CLOEXEC };

/* Where the last component `.renorm` begins, or what follows the mark; NULL: all is the user's. */
static char *own_part(char *path)
{
    static const char NAME[] = ".renorm";
    char *found = NULL;
    for (char *p = path; (p = strstr(p, OWN_PLACE_MARK)); p++)
        found = p + strlen(OWN_PLACE_MARK);
    if (found)
        return found;
    for (char *p = path; (p = strstr(p, NAME)); p++) {
        char after = p[sizeof NAME - 1];
        if ((p == path || p[-1] == '/') && (after == '\0' || after == '/'))
            found = p;
    }
    return found;
}

/* Goes on from *dir, which is closed, to `next`. */
static void go_on(int *dir, int next)
{
    int why = errno;
    (void)close(*dir);
    *dir = next;
    errno = why;
}

/* Folder by folder, as kernels before 5.6 want it, and those that are told to refuse openat2. */
static void walk(int *dir, char *folders)
{
    char *rest = folders, *slash;
    while (*dir >= 0 && rest) {
        slash = strchr(rest, '/');
        if (slash)
            *slash = '\0';
        if (*rest)
            go_on(dir, openat(*dir, rest, HOLD | O_NOFOLLOW));
        rest = slash ? slash + 1 : NULL;
    }
}

/* From *dir to the last of `folders` ("a/b/c") in it, through no link. */
static void enter(int *dir, char *folders)
{
    struct open_how how = {.flags = HOLD, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
    long next = syscall(SYS_openat2, *dir, folders, &how, sizeof how);
    if (next < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN)) {
        walk(dir, folders);
    } else {
        go_on(dir, (int)next);
    }
}

/* Opens the folder of what is called `own` and lies, by way of our own folders, in `above`. */
static void descend(struct own_place *at, const char *above, char *own)
{
    char *slash = strrchr(own, '/');
    at->dir = open(above, HOLD);
    (void)snprintf(at->leaf, sizeof at->leaf, "%s", slash ? slash + 1 : *own ? own : ".");
    if (slash && slash != own && at->dir >= 0) {
        *slash = '\0';
        enter(&at->dir, own);
    }
}

void own_place_find(struct own_place *at, const char *path)
{
    char text[OWN_PLACE_PATH], above[OWN_PLACE_PATH];
    (void)snprintf(text, sizeof text, "%s", path);
    size_t n = strlen(text);
    while (n > 1 && text[n - 1] == '/')
        text[--n] = '\0';
    char *own = own_part(text);
    at->ours = own != NULL;
    if (!own) {
        char *slash = strrchr(text, '/');
        own = slash && slash[1] ? slash + 1 : text;
    }
    (void)snprintf(above, sizeof above, "%.*s", (int)(own - text), text);
    if (!above[0])
        (void)snprintf(above, sizeof above, "%s", *path == '/' ? "/" : ".");
    descend(at, above, own);
}

int own_place_leave(const struct own_place *at, int result)
{
    int why = errno;
    if (at->dir >= 0)
        (void)close(at->dir);
    errno = why;
    return result;
}
