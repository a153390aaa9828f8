/* SPDX-License-Identifier: MIT */
/*
 * Two sides of a table compared without holding either: the hashes of canonical row lines are
 * summed in buckets by key hash, whatever the order of the rows. Where sums differ, a second
 * reading of both sides finds the keys in the buckets that differ.
 */
#ifndef COMPARE_TALLY_H
#define COMPARE_TALLY_H

#include "pipeline/base/buf.h"

enum { TALLY_BUCKETS = 4096 };

struct tally_sum {
    uint64_t low, high; /* of XXH3-128 hashes, modulo 2^128 */
    uint64_t rows;
};

struct tally {
    struct tally_sum buckets[TALLY_BUCKETS];
    uint64_t rows;
};

void tally_sum_add(struct tally_sum *s, struct str line);
bool tally_sum_same(const struct tally_sum *a, const struct tally_sum *b);

void tally_init(struct tally *t);

/* The line itself is the key where the table has none. */
void tally_add(struct tally *t, struct str key, struct str line);

/* Returns how many buckets differ. */
size_t tally_differing(const struct tally *a, const struct tally *b);

enum tally_side { TALLY_A = 0, TALLY_B };
enum tally_finding { TALLY_ONLY_A, TALLY_ONLY_B, TALLY_DIFFERS };

struct tally_found {
    struct str key; /* valid until the search is freed */
    enum tally_finding what;
    struct tally_sum sums[2]; /* of the rows of this key, by side */
};

struct tally_search;

/*
 * Begins to look for keys that differ. It searches as many of the buckets that differ as hold at
 * most max_rows rows together, and at least one. Returns owned, or NULL when out of memory.
 */
struct tally_search *tally_search_new(const struct tally *a, const struct tally *b,
                                      uint64_t max_rows);
void tally_search_free(struct tally_search *s);

/* Every row of both sides is given once more, in any order. */
enum rc tally_search_add(struct tally_search *s, enum tally_side side, struct str key,
                         struct str line, struct err *err) MUST_CHECK;

/* Calls `each` for every key that differs, sorted by key, until it returns false. */
void tally_search_each(const struct tally_search *s,
                       bool (*each)(void *ctx, const struct tally_found *found), void *ctx);

/* Returns how many of the buckets that differ are not searched. */
size_t tally_search_skipped(const struct tally_search *s);

/* Appends a key of several cells as a JSON array, for people. */
void tally_key_text(struct buf *b, struct str key);

#endif
