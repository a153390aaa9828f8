/* SPDX-License-Identifier: MIT */
/*
 * Blocks are chained, newest first. Clearing keeps the largest block, so that a batch arena
 * settles at the size of its largest batch and then allocates nothing.
 */
#include "pipeline/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

struct arena_block {
    struct arena_block *next;
    size_t size;
    max_align_t data[];
};

enum { ALIGN = 8 };

void arena_init(struct arena *a, size_t block_size)
{
    *a = (struct arena){.block_size = block_size ? block_size : 4096};
}

static void block_free(struct arena_block *b)
{
    ASAN_UNPOISON_MEMORY_REGION(b->data, b->size);
    free(b);
}

void arena_release(struct arena *a)
{
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        block_free(a->blocks);
        a->blocks = next;
    }
    arena_init(a, a->block_size);
}

static void use_block(struct arena *a, struct arena_block *b)
{
    a->at = (char *)b->data;
    a->end = a->at + b->size;
    ASAN_POISON_MEMORY_REGION(b->data, b->size);
}

void arena_clear(struct arena *a)
{
    struct arena_block *keep = a->blocks;
    for (struct arena_block *b = a->blocks; b; b = b->next) {
        if (b->size > keep->size)
            keep = b;
    }
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        if (a->blocks != keep)
            block_free(a->blocks);
        a->blocks = next;
    }
    a->blocks = keep;
    a->taken = 0;
    if (!keep)
        return;
    keep->next = NULL;
    a->taken = keep->size;
    use_block(a, keep);
}

void *arena_more(struct arena *a, size_t n)
{
    size_t size = a->block_size;
    if (a->taken > size)
        size = a->taken;
    if (size > (size_t)4 << 20)
        size = (size_t)4 << 20;
    if (n > SIZE_MAX / 2)
        return NULL;
    if (size < n)
        size = n;
    struct arena_block *b = malloc(sizeof *b + size);
    if (!b)
        return NULL;
    b->size = size;
    b->next = a->blocks;
    a->blocks = b;
    a->taken += size;
    use_block(a, b);
    return arena_alloc(a, n);
}

void *arena_alloc(struct arena *a, size_t n)
{
    size_t want = n ? (n + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN;
    if (want < n)
        return NULL;
    if ((size_t)(a->end - a->at) < want)
        return arena_more(a, want);
    void *p = a->at;
    a->at += want;
    ASAN_UNPOISON_MEMORY_REGION(p, n);
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *p = arena_alloc(a, count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *arena_double(struct arena *a, const void *v, size_t n, size_t *cap, size_t first,
                   size_t size)
{
    size_t more = *cap ? *cap * 2 : first;
    void *grown = more <= SIZE_MAX / size ? arena_alloc(a, more * size) : NULL;
    if (!grown)
        return NULL;
    if (n)
        memcpy(grown, v, n * size);
    *cap = more;
    return grown;
}

struct str arena_dup(struct arena *a, struct str s)
{
    char *p = arena_cstr(a, s);
    return (struct str){p, p ? s.n : 0};
}

char *arena_cstr(struct arena *a, struct str s)
{
    char *p = arena_alloc(a, s.n + 1);
    if (!p)
        return NULL;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return p;
}
