/* SPDX-License-Identifier: MIT */
/*
 * The table: items in the order a Scan returns them, by hash of the partition key, then key.
 * A segment is a range of hashes, so any TotalSegments works on the same order, and so is a
 * partition. Items are kept as JSON text; inserting and removing move the array, which is fine
 * for tests and slow for millions of writes.
 */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include <stdint.h>
#include <yyjson.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct item {
    uint64_t hash;
    uint64_t order; /* of loading: the later of two equal keys wins */
    uint32_t size;  /* as DynamoDB counts it */
    uint32_t pk_len, sk_len, json_len;
    char data[]; /* order bytes of pk and sk, then the JSON text */
};

struct table {
    struct item **items;
    size_t n, cap;
    char *pk, *sk;         /* names; sk may be NULL */
    char pk_type, sk_type; /* S, N or B; 0 until an item or an option tells */
    uint64_t bytes;        /* of all items, as DynamoDB counts */
    uint64_t loaded;
};

/* A key read from a request: borrowed order bytes within `bytes`. */
struct table_key {
    struct buf bytes;
    uint32_t pk_len;
    uint64_t hash;
};

/* `spec` is PK[:TYPE][,SK[:TYPE]]. */
void table_init(struct table *t, const char *spec);
void table_release(struct table *t);
void table_clear(struct table *t);

struct str table_json(const struct item *it);

/* Returns an owned item; NULL and err set if the keys are missing or of the wrong type. */
struct item *table_item(struct table *t, yyjson_val *json, struct err *err);

/* Adds without order; table_sort must follow. Takes the item. */
void table_append(struct table *t, struct item *it);
void table_sort(struct table *t);

/* Reads the key attributes of `json` (an item or a key); release with table_key_release. */
bool table_key_read(const struct table *t, yyjson_val *json, struct table_key *key);
void table_key_release(struct table_key *key);

/* Index of the first item at or after the key; *found says whether it is the key's. */
size_t table_find(const struct table *t, const struct table_key *key, bool *found);

/* Inserts or replaces; takes the item. */
void table_put(struct table *t, struct item *it);
void table_remove(struct table *t, size_t index);

/* Which of `total` equal ranges of hashes. */
uint64_t table_part(uint64_t hash, uint64_t total);

/* Index range of a segment. */
void table_segment(const struct table *t, uint64_t segment, uint64_t total, size_t *from,
                   size_t *to);

/* Appends {"PK":..,"SK":..} of the item. */
void table_add_key(const struct table *t, const struct item *it, struct buf *out);

#endif
