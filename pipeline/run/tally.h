/* SPDX-License-Identifier: MIT */
/*
 * Two sides of a table compared without holding either: the hashes of canonical row lines are
 * summed in buckets by key hash, whatever the order of the rows. Where sums differ, a second
 * reading of both sides names the keys of the bad buckets.
 */
#ifndef RUN_TALLY_H
#define RUN_TALLY_H

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

/* A table without a key: the line itself is the key. */
void tally_add(struct tally *t, struct str key, struct str line);
void tally_merge(struct tally *into, const struct tally *more);

/* How many buckets differ. */
size_t tally_differing(const struct tally *a, const struct tally *b);

enum tally_side { TALLY_A = 0, TALLY_B };
enum tally_finding { TALLY_ONLY_A, TALLY_ONLY_B, TALLY_DIFFERS };

struct tally_found {
    struct str key; /* valid while the hunt is */
    enum tally_finding what;
    struct tally_sum sums[2]; /* of the rows of this key, by side */
};

struct tally_hunt;

/*
 * Looks for keys that differ, in as many of the bad buckets as hold at most max_rows rows (at
 * least one bucket). Returns owned, or NULL when out of memory.
 */
struct tally_hunt *tally_hunt_new(const struct tally *a, const struct tally *b,
                                  uint64_t max_rows);
void tally_hunt_free(struct tally_hunt *h);

/* Every row of both sides is given once more, in any order. */
enum rc tally_hunt_add(struct tally_hunt *h, enum tally_side side, struct str key,
                       struct str line, struct err *err) MUST_CHECK;

/* Calls `each` for every key that differs, sorted by key, until it returns false. */
void tally_hunt_each(const struct tally_hunt *h,
                     bool (*each)(void *ctx, const struct tally_found *found), void *ctx);

/* Bad buckets that were left out. */
size_t tally_hunt_left(const struct tally_hunt *h);

/* Appends a key of several cells as a JSON array, for people. */
void tally_key_text(struct buf *b, struct str key);

#endif
