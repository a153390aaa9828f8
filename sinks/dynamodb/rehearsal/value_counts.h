/* SPDX-License-Identifier: MIT */
/*
 * How values are spread, in the memory of one spread however many there are: the most frequent
 * ones by a space-saving table, the number of different ones by a sketch. A value that makes up
 * more than 1/256 of all is always in the table; the number is exact as long as all values fit
 * into it, and off by some 2% beyond.
 */
#ifndef SINKS_DYNAMODB_REHEARSAL_VALUE_COUNTS_H
#define SINKS_DYNAMODB_REHEARSAL_VALUE_COUNTS_H

#include <stdint.h>

#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

struct value_counts;

enum { SPREAD_TEXT = 128 };

struct value_counts_top {
    char text[SPREAD_TEXT]; /* as in JSON, without quotes; cut for people. Bytes: base64 */
    uint64_t count;         /* at most; at least count - slack */
    uint64_t slack;
    uint64_t units; /* at least */
};

struct value_counts *value_counts_new(void);
void value_counts_free(struct value_counts *s);

/* S, N or B, and what it takes to write it. */
void value_counts_add(struct value_counts *s, const struct val *v, uint64_t units);

/* Adds the second to the first; the order of several merges hardly matters, counts stay bounds. */
void value_counts_merge(struct value_counts *into, const struct value_counts *from);

uint64_t value_counts_values(const struct value_counts *s);
uint64_t value_counts_distinct(const struct value_counts *s);

/* The most frequent ones, at most n, the largest first. Returns how many. */
uint32_t value_counts_top(const struct value_counts *s, struct value_counts_top *out,
                          uint32_t n);

#endif
