/* SPDX-License-Identifier: MIT */
/*
 * How values are spread, in the memory of one spread however many there are: the most frequent
 * ones by a space-saving table, the number of different ones by a sketch. A value that makes up
 * more than 1/256 of all is always in the table; the number is exact as long as all values fit
 * into it, and off by some 2% beyond.
 */
#ifndef DYNAMODB_SPREAD_H
#define DYNAMODB_SPREAD_H

#include <stdint.h>

#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

struct spread;

enum { SPREAD_TEXT = 128 };

struct spread_top {
    char text[SPREAD_TEXT]; /* as in JSON, without quotes; cut for people. Bytes: base64 */
    uint64_t count;         /* at most; at least count - slack */
    uint64_t slack;
    uint64_t units; /* at least */
};

struct spread *spread_new(void);
void spread_free(struct spread *s);

/* S, N or B, and what it takes to write it. */
void spread_add(struct spread *s, const struct val *v, uint64_t units);

/* Adds the second to the first; the order of several merges hardly matters, counts stay bounds. */
void spread_merge(struct spread *into, const struct spread *from);

uint64_t spread_values(const struct spread *s);
uint64_t spread_distinct(const struct spread *s);

/* The most frequent ones, at most n, the largest first. Returns how many. */
uint32_t spread_top(const struct spread *s, struct spread_top *out, uint32_t n);

#endif
