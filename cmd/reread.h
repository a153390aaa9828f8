/* SPDX-License-Identifier: MIT */
/* Items of a live table read once more by their keys, and the rows they make now. */
#ifndef CMD_REREAD_H
#define CMD_REREAD_H

#include "cmd/fresh.h"
#include "pipeline/base/arena.h"

/* Source keys, each once. */
struct reread_keys {
    struct arena arena;
    struct str *v; /* open addressing */
    size_t n, cap;
};

void reread_keys_init(struct reread_keys *k);
void reread_keys_release(struct reread_keys *k);
bool reread_add(struct reread_keys *k, struct str source_key); /* false: out of memory */

/*
 * Writes the items that are still there to the file `path`, one a line; *any: there was one.
 * RC_USAGE: the source has no items that could be read by these keys.
 */
enum rc reread_items(const struct reread_keys *k, const struct job *job, const char *path,
                     bool *any, struct err *err) MUST_CHECK;

/* Exports that file as `first` exported the table, into `folder`. */
enum rc reread_rows(const struct fresh *first, const char *path, const char *folder,
                    struct err *err) MUST_CHECK;

#endif
