/* SPDX-License-Identifier: MIT */
/*
 * A sum of hashes is the same for the same set of rows in any order, and counts duplicates,
 * which a combination by xor would not.
 */
#include "pipeline/compare/tally.h"

#include <stdlib.h>

#include <xxhash.h>

#include "pipeline/base/arena.h"
#include "pipeline/row/reduce/candidate.h"

struct entry {
    XXH128_hash_t hash; /* of the key */
    struct str key;     /* p is NULL where the place is free */
    struct tally_sum sums[2];
};

struct tally_search {
    bool searched[TALLY_BUCKETS]; /* those that differ, but for the skipped ones */
    size_t skipped;
    struct arena keys;
    struct entry *entries; /* a hash table by open addressing; cap is a power of two */
    size_t n, cap;
};

void tally_init(struct tally *t)
{
    memset(t, 0, sizeof *t);
}

static uint32_t bucket_of(struct str key)
{
    return (uint32_t)(XXH3_64bits(key.p, key.n) % TALLY_BUCKETS);
}

static void add(struct tally_sum *s, uint64_t low, uint64_t high)
{
    s->low += low;
    s->high += high + (s->low < low);
}

void tally_sum_add(struct tally_sum *s, struct str line)
{
    XXH128_hash_t h = XXH3_128bits(line.p, line.n);
    add(s, h.low64, h.high64);
    s->rows++;
}

bool tally_sum_same(const struct tally_sum *a, const struct tally_sum *b)
{
    return a->low == b->low && a->high == b->high && a->rows == b->rows;
}

void tally_add(struct tally *t, struct str key, struct str line)
{
    tally_sum_add(&t->buckets[bucket_of(key)], line);
    t->rows++;
}

size_t tally_differing(const struct tally *a, const struct tally *b)
{
    size_t n = 0;
    for (size_t i = 0; i < TALLY_BUCKETS; i++)
        n += !tally_sum_same(&a->buckets[i], &b->buckets[i]);
    return n;
}

struct tally_search *tally_search_new(const struct tally *a, const struct tally *b,
                                      uint64_t max_rows)
{
    struct tally_search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    uint64_t rows = 0;
    arena_init(&s->keys, 1 << 16);
    for (size_t i = 0; i < TALLY_BUCKETS; i++) {
        if (tally_sum_same(&a->buckets[i], &b->buckets[i]))
            continue;
        uint64_t here = a->buckets[i].rows + b->buckets[i].rows;
        s->searched[i] = rows == 0 || rows + here <= max_rows;
        rows += s->searched[i] ? here : 0;
        s->skipped += !s->searched[i];
    }
    return s;
}

void tally_search_free(struct tally_search *s)
{
    if (!s)
        return;
    arena_release(&s->keys);
    free(s->entries);
    free(s);
}

static struct entry *find(const struct tally_search *s, XXH128_hash_t hash)
{
    size_t mask = s->cap - 1;
    for (size_t i = (size_t)hash.low64 & mask;; i = (i + 1) & mask) {
        struct entry *e = &s->entries[i];
        if (!e->key.p || XXH128_isEqual(e->hash, hash))
            return e;
    }
}

static enum rc grow(struct tally_search *s, struct err *err)
{
    struct tally_search old = *s;
    s->cap = old.cap ? 2 * old.cap : 1024;
    s->entries = calloc(s->cap, sizeof *s->entries);
    if (!s->entries) {
        *s = old;
        return err_nomem(err);
    }
    for (size_t i = 0; i < old.cap; i++) {
        if (old.entries[i].key.p)
            *find(s, old.entries[i].hash) = old.entries[i];
    }
    free(old.entries);
    return RC_OK;
}

enum rc tally_search_add(struct tally_search *s, enum tally_side side, struct str key,
                         struct str line, struct err *err)
{
    if (!s->searched[bucket_of(key)])
        return RC_OK;
    if (2 * s->n >= s->cap) {
        enum rc rc = grow(s, err);
        if (rc)
            return rc;
    }
    XXH128_hash_t hash = XXH3_128bits(key.p, key.n);
    struct entry *e = find(s, hash);
    if (!e->key.p) {
        struct str copy = arena_dup(&s->keys, key);
        if (!copy.p)
            return err_nomem(err);
        *e = (struct entry){.hash = hash, .key = copy};
        s->n++;
    }
    tally_sum_add(&e->sums[side], line);
    return RC_OK;
}

static bool agrees(const struct entry *e)
{
    return tally_sum_same(&e->sums[TALLY_A], &e->sums[TALLY_B]);
}

static int by_key(const void *a, const void *b)
{
    return str_cmp((*(const struct entry *const *)a)->key,
                   (*(const struct entry *const *)b)->key);
}

void tally_search_each(const struct tally_search *s,
                       bool (*each)(void *ctx, const struct tally_found *found), void *ctx)
{
    const struct entry **list =
        calloc(s->n + 1, sizeof *list); /* NOLINT(bugprone-sizeof-expression) */
    size_t n = 0;
    for (size_t i = 0; list && i < s->cap; i++) {
        if (s->entries[i].key.p && !agrees(&s->entries[i]))
            list[n++] = &s->entries[i];
    }
    if (n)
        qsort(list, n, sizeof *list, by_key); /* NOLINT(bugprone-sizeof-expression) */
    for (size_t i = 0; i < n; i++) {
        const struct tally_sum *sums = list[i]->sums;
        struct tally_found found = {.key = list[i]->key,
                                    .sums = {sums[TALLY_A], sums[TALLY_B]}};
        found.what = !sums[TALLY_B].rows   ? TALLY_ONLY_A
                     : !sums[TALLY_A].rows ? TALLY_ONLY_B
                                           : TALLY_DIFFERS;
        if (!each(ctx, &found))
            break;
    }
    free(list);
}

size_t tally_search_skipped(const struct tally_search *s)
{
    return s->skipped;
}

void tally_key_text(struct buf *b, struct str key)
{
    size_t at = 0;
    struct str json;
    buf_putc(b, '[');
    for (bool first = true; candidate_key_next(key, &at, &json); first = false) {
        if (!first)
            buf_putc(b, ',');
        buf_add_str(b, json);
    }
    buf_putc(b, ']');
}
