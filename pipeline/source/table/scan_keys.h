/* SPDX-License-Identifier: MIT */
/*
 * What a LastEvaluatedKey must be: an object of exactly the key attributes of the table and of
 * the index that is scanned, of their types, and none that the segment has met before. Anything
 * else would end a segment too early, or never.
 */
#ifndef SOURCE_TABLE_SCAN_KEYS_H
#define SOURCE_TABLE_SCAN_KEYS_H

#include "pipeline/aws/dynamodb/describe.h"
#include "pipeline/base/buf.h"

struct scan_keys {
    struct dynamodb_key keys[2 * DDB_KEYS_MAX]; /* each name once; texts are borrowed */
    size_t n;
};

/* `index` may be NULL. */
void scan_keys_init(struct scan_keys *k, const struct dynamodb_schema *table,
                    const struct dynamodb_schema *index);

/* RC_SOURCE: `key`, as JSON text, is no such key; the message says why. */
enum rc scan_keys_check(const struct scan_keys *k, struct str key, struct err *err) MUST_CHECK;

/* Finds out whether the keys of one segment go in a circle. */
struct scan_circle {
    struct buf mark; /* a key met earlier */
    uint64_t steps, until;
};

void scan_circle_init(struct scan_circle *t, size_t max);
void scan_circle_release(struct scan_circle *t);

/* The segment goes on behind `resume`; empty: it begins. */
enum rc scan_circle_start(struct scan_circle *t, struct str resume, struct err *err) MUST_CHECK;

/* RC_SOURCE: the way leads in a circle, of which this is found after at most three rounds. */
enum rc scan_circle_step(struct scan_circle *t, struct str key, struct err *err) MUST_CHECK;

#endif
