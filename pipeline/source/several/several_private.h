/* SPDX-License-Identifier: MIT */
/* What the source and its readers share. */
#ifndef SOURCE_SEVERAL_SEVERAL_PRIVATE_H
#define SOURCE_SEVERAL_SEVERAL_PRIVATE_H

#include "pipeline/source/several/several.h"

struct several {
    struct source base; /* first */
    struct source **v;  /* owned */
    size_t n, ntables;  /* those with a number of segments that can be changed come first */
    uint32_t each;      /* segments of each table */
    struct str *keys;
    struct buf identity, description, notice;
};

/* Which source a segment is of; *own is its number there. */
size_t several_find(const struct several *s, uint32_t segment, uint32_t *own);
uint32_t several_segment(const struct several *s, size_t i, uint32_t own);

struct reader *several_reader_new(struct several *s, struct err *err);
enum rc several_reader_take(struct reader *base, uint32_t *segment, struct err *err) MUST_CHECK;

#endif
