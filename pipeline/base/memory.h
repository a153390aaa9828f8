/* SPDX-License-Identifier: MIT */
/* The heap's two idioms: a zeroed object, and an array that grows by doubling. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

#include <stdbool.h>
#include <stddef.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

/* Returns `size` zeroed bytes (owned, free); NULL, with err said, when out of memory. */
void *memory_new(size_t size, struct err *err);

/* The slow path of memory_push. */
void *memory_double(void *v, size_t *cap, size_t first, size_t size);

/*
 * Makes room behind the n elements of v (owned, or NULL) for one more: returns v, or when *cap
 * elements are there the same elements with twice the room (for `first` elements at first), and
 * v is gone. The new room is not zeroed. NULL, with v and *cap as they were, when out of memory.
 */
static inline void *memory_push(void *v, size_t n, size_t *cap, size_t first, size_t size)
{
    return n < *cap ? v : memory_double(v, cap, first, size);
}

/* Copies the text, with a NUL behind it, and frees what *out was; false, and *out as it was, when out
 * of memory. memory_disown frees such a text, or {0}. */
bool memory_own(struct str *out, struct str text);
void memory_disown(struct str *owned);

#endif
