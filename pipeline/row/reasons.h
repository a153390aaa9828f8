/* SPDX-License-Identifier: MIT */
/*
 * Why items became no rows: rejects counted by reason and column, unrouted items by their type.
 * Types and attributes come from data, so the list is bounded; what finds no place in it is counted
 * as "(others)": another type, or another column of the reason.
 */
#ifndef ROW_REASONS_H
#define ROW_REASONS_H

#include "pipeline/base/err.h"
#include "pipeline/row/schema.h"

/* Of each kind; bytes of a name or column, and of an example. */
enum { REASONS_MAX = 500, REASONS_NAME_MAX = 200, REASONS_EXAMPLE_MAX = 300 };

struct reason {
    enum reject_kind kind;
    struct str name;   /* owned: the reason, or the type value of unrouted items, cut */
    struct str column; /* owned: what rejects are about, cut; may be empty */
    uint64_t count;
    struct str example; /* owned: what may be shown of one such reject; may be empty */
    uint32_t segment;   /* where the example comes from: the first place is kept */
    uint64_t position;
};

struct reasons {
    struct reason *v;
    size_t n, cap;
    size_t of_kind[2];
};

void reasons_release(struct reasons *r);
void reasons_clear(struct reasons *r);

/* Adds to the count of the same name and column, and keeps the example of the earlier place.
 * Borrows all of it. */
enum rc reasons_add(struct reasons *r, const struct reason *one, struct err *err) MUST_CHECK;

/* The same for one reject. */
enum rc reasons_count(struct reasons *r, const struct reject *reject, uint32_t segment,
                      struct err *err) MUST_CHECK;

/* How many there are of the kind and name of the i-th, whatever the column. */
uint64_t reasons_named(const struct reasons *r, size_t i);

/* Is the i-th the first of its kind and name? */
bool reasons_is_first(const struct reasons *r, size_t i);

/* Rejects first; the most frequent first, then by name: the same whatever the workers did. */
void reasons_sort(struct reasons *r);

#endif
