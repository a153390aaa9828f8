/* SPDX-License-Identifier: MIT */
/* Reads items of a live table once more by their keys, and makes rows of them. */
#ifndef COMPARE_REREAD_H
#define COMPARE_REREAD_H

#include "pipeline/base/arena.h"
#include "pipeline/base/map.h"
#include "pipeline/compare/reexport.h"

/* Source keys, each once. */
struct reread_keys {
    struct arena arena; /* of the keys */
    struct map map;     /* its values mean nothing */
};

void reread_keys_init(struct reread_keys *k);
void reread_keys_release(struct reread_keys *k);
bool reread_add(struct reread_keys *k, struct str source_key); /* false: out of memory */

/*
 * Reads the items of the source of `first`, and writes those that are still there to the file
 * `path`, one a line; *any says whether there was one. RC_USAGE: items of this source cannot be
 * read by these keys.
 */
enum rc reread_items(const struct reread_keys *k, const struct reexport *first,
                     const char *path, bool *any, struct err *err) MUST_CHECK;

/* Exports that file as `first` exported the table, to the place `name` of its store. */
enum rc reread_rows(const struct reexport *first, const char *path, const char *name,
                    struct err *err) MUST_CHECK;

#endif
