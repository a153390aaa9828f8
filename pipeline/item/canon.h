/* SPDX-License-Identifier: MIT */
/* Canonical texts of values: DynamoDB JSON (tags kept) and plain JSON, members sorted. */
#ifndef ITEM_CANON_H
#define ITEM_CANON_H

#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

/* {"S":"x"}; maps with members sorted by bytes. Exact: decoding gives the same value. */
void canon_ddb(struct buf *b, const struct val *v);

/* {"a":{"S":"x"},...} from members, sorted by name. */
void canon_ddb_members(struct buf *b, const struct member *members, uint32_t n);

/*
 * Plain JSON: N as a number with all its digits, B as base64, sets as arrays. *lossy grows
 * by one for each B or set met (the named lossy rule of jsonb columns); may be NULL.
 */
void canon_plain(struct buf *b, const struct val *v, uint64_t *lossy);

/* The source key as text: canonical DynamoDB JSON of the key attributes present. */
void canon_key(struct buf *b, const struct item *item, const struct str *key, size_t nkey);

/* Total order of values by canonical bytes; numbers by value. */
int value_cmp(const struct val *a, const struct val *b);
bool value_eq(const struct val *a, const struct val *b);

/* The same, where NULL stands for a value that is missing. */
bool value_same(const struct val *a, const struct val *b);

/* Equal, or a number and a string that spells it: what is cut out of a key is text. */
bool value_agrees(const struct val *a, const struct val *b);

/* Size as DynamoDB counts it (names and values). */
uint64_t item_size(const struct member *members, uint32_t n);

/* The same of one attribute; 0 if it is missing (NULL). */
uint64_t value_attribute_size(struct str name, const struct val *v);

#endif
