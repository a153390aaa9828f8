/* SPDX-License-Identifier: MIT */
/*
 * Values of attributes, sorted by key, column and value and folded where equal, in bounded
 * memory: what does not fit is written to unnamed files in runs that are merged when read.
 * Reading can be repeated.
 */
#ifndef ROW_REDUCE_SORTER_H
#define ROW_REDUCE_SORTER_H

#include <stdatomic.h>

#include "pipeline/row/reduce/reduce.h"

struct sorter;

struct sorter_entry {
    struct str key;
    uint32_t column;
    struct reduce_value v;
};

/* tmp: a folder for the files. Returns owned, or NULL when out of memory. */
struct sorter *sorter_new(const char *tmp, size_t memory);
void sorter_free(struct sorter *s);

enum rc sorter_add(struct sorter *s, const struct sorter_entry *e, struct err *err) MUST_CHECK;

/* Merging ends with RC_CANCEL once the flag is set; borrowed, may be NULL. */
void sorter_heed(struct sorter *s, const atomic_bool *stop);

/* Begins reading, again if need be; nothing may be added from then on. */
void sorter_rewind(struct sorter *s);

/* The next distinct (key, column, value), valid until the next call. RC_END at the end. */
enum rc sorter_next(struct sorter *s, struct sorter_entry *out, struct err *err) MUST_CHECK;

#endif
