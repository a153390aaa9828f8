/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full, hashed with XXH3. */
#include "pipeline/base/map.h"

#include <stdlib.h>

#include <xxhash.h>

void map_init(struct map *m)
{
    *m = (struct map){0};
}

void map_release(struct map *m)
{
    free(m->entries);
    map_init(m);
}

static struct map_entry *find(const struct map *m, struct str key, uint64_t hash)
{
    size_t mask = m->cap - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        struct map_entry *e = &m->entries[i];
        if (!e->used || (e->hash == hash && str_eq(e->key, key)))
            return e;
    }
}

uint32_t map_get(const struct map *m, struct str key)
{
    if (m->count == 0)
        return MAP_NONE;
    struct map_entry *e = find(m, key, XXH3_64bits(key.p, key.n));
    return e->used ? e->value : MAP_NONE;
}

static enum rc grow(struct map *m)
{
    struct map old = *m;
    m->cap = old.cap ? old.cap * 2 : 16;
    m->entries = calloc(m->cap, sizeof *m->entries);
    if (!m->entries) {
        *m = old;
        return RC_NOMEM;
    }
    for (size_t i = 0; i < old.cap; i++) {
        if (old.entries[i].used)
            *find(m, old.entries[i].key, old.entries[i].hash) = old.entries[i];
    }
    free(old.entries);
    return RC_OK;
}

enum rc map_put(struct map *m, struct str key, uint32_t value)
{
    if (m->count * 2 >= m->cap && grow(m))
        return RC_NOMEM;
    uint64_t hash = XXH3_64bits(key.p, key.n);
    struct map_entry *e = find(m, key, hash);
    if (!e->used)
        m->count++;
    *e = (struct map_entry){.key = key, .hash = hash, .value = value, .used = 1};
    return RC_OK;
}
