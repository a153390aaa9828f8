/* SPDX-License-Identifier: MIT */
/*
 * A string-keyed table of small numbers, for names: attribute names to slots, table names to
 * indexes. Keys are borrowed and must outlive the map. Built once, then only read: reading
 * is safe from any thread.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct map_entry {
    struct str key;
    uint64_t hash;
    uint32_t value;
    uint32_t used;
};

struct map {
    struct map_entry *entries;
    size_t cap, count; /* cap is a power of two */
};

#define MAP_NONE UINT32_MAX

void map_init(struct map *m);
void map_release(struct map *m);

/* The value of key, or MAP_NONE. */
uint32_t map_get(const struct map *m, struct str key);

/* Sets or replaces. RC_NOMEM only. */
enum rc map_put(struct map *m, struct str key, uint32_t value) MUST_CHECK;

#endif
