/* SPDX-License-Identifier: MIT */
/* Opening files as sources, for tests: with two workers and the default sizes. */
#ifndef HARNESS_OPEN_FILES_H
#define HARNESS_OPEN_FILES_H

#include "pipeline/source/files/files.h"

/* The item {"PK":{"S":x}} as text. */
#define ITEM(x) "{\"PK\":{\"S\":\"" x "\"}}"

enum rc open_paths(const char *const *paths, size_t n, struct source **s, struct err *err);
enum rc open_path(const char *path, struct source **s, struct err *err);

/* Opening must fail, with these words in its message. */
void fails_to_open(const char *path, enum rc want, const char *message);

/* Reads all: the items must be `want` (ended by NULL), in any order. */
void reads_as(const char *path, const char *const *want);

/* Opens, reads all, forgets it. */
enum rc read_all(const char *path, struct err *err);

#endif
