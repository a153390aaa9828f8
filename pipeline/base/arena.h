/* SPDX-License-Identifier: MIT */
/*
 * A bump allocator: many small allocations, one release. Choose the lifetime first (run,
 * batch, scratch), then take everything of that lifetime from one arena. Unused space is
 * poisoned under AddressSanitizer.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "pipeline/base/str.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *at, *end;
    size_t block_size;
    size_t taken; /* bytes of all blocks */
};

void arena_init(struct arena *a, size_t block_size);
void arena_release(struct arena *a);

/* Empties; one block of the largest size is kept. */
void arena_clear(struct arena *a);

/* 8-byte aligned, not zeroed; NULL when out of memory. The slow path of arena_alloc. */
void *arena_more(struct arena *a, size_t n);

void *arena_alloc(struct arena *a, size_t n);

/* Zeroed array of count elements; NULL when out of memory or on overflow. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* The slow path of arena_push. */
void *arena_double(struct arena *a, const void *v, size_t n, size_t *cap, size_t first,
                   size_t size);

/*
 * Makes room behind the n elements of v for one more: returns v, or when *cap elements are there
 * a copy with twice the room (for `first` elements at first). The new room is not zeroed. NULL,
 * with *cap as it was, when out of memory.
 */
static inline void *arena_push(struct arena *a, void *v, size_t n, size_t *cap, size_t first,
                               size_t size)
{
    return n < *cap ? v : arena_double(a, v, n, cap, first, size);
}

/* A copy with a NUL behind it; p is NULL when out of memory. */
struct str arena_dup(struct arena *a, struct str s);
char *arena_cstr(struct arena *a, struct str s);

#define ARENA_NEW(a, type) ((type *)arena_array((a), 1, sizeof(type)))

#endif
