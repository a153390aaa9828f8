/* SPDX-License-Identifier: MIT */
/*
 * A path is taken apart where our part begins: what stands before is opened as it is, every further
 * folder by its name in the one before.
 */
#define _GNU_SOURCE
#include "pipeline/base/own_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

/* Goes on from *dir, which is closed, to the folder `name` in it. */
static void enter(int *dir, const char *name)
{
    int next = openat(*dir, name, HOLD | O_NOFOLLOW);
    int why = errno;
    (void)close(*dir);
    *dir = next;
    errno = why;
}

/* Opens the folder of what is called `own` and lies, by way of our own folders, in `above`. */
static void descend(struct own_place *at, const char *above, char *own)
{
    char *rest = own, *slash;
    at->dir = open(above, HOLD);
    while (at->dir >= 0 && (slash = strchr(rest, '/'))) {
        *slash = '\0';
        if (*rest)
            enter(&at->dir, rest);
        rest = slash + 1;
    }
    (void)snprintf(at->leaf, sizeof at->leaf, "%s", *rest ? rest : ".");
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
