/* SPDX-License-Identifier: MIT */
/*
 * A path in a place that somebody else may have prepared. What lies in a folder `.renorm`, and that
 * folder itself, is made by renorm alone and holds no links; so does what stands behind
 * OWN_PLACE_MARK in a path. There no folder is entered if it is a link. What the user named, and so
 * everything before, may lead through links.
 */
#ifndef BASE_OWN_PLACE_H
#define BASE_OWN_PLACE_H

#include <stdbool.h>

enum { OWN_PLACE_PATH = 4096 };

/* Stands between the user's part of a path and ours; to the system it is a slash. */
#define OWN_PLACE_MARK "/././"

/* A path by the folder it lies in. */
struct own_place {
    int dir;   /* owned; -1: errno says why */
    bool ours; /* it is a `.renorm`, lies in one, or behind the mark */
    char leaf[OWN_PLACE_PATH];
};

/* thread: any. Opens the folder; own_place_leave closes it. */
void own_place_find(struct own_place *at, const char *path);

/* thread: any. Closes the folder and returns `result`; errno stays. */
int own_place_leave(const struct own_place *at, int result);

#endif
