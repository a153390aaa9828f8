/* SPDX-License-Identifier: MIT */
/*
 * Why items became no rows: rejects counted by reason, unrouted items by their type. Types come
 * from data, so the list is bounded; what finds no place in it is counted as "(others)".
 */
#ifndef RUN_REASONS_H
#define RUN_REASONS_H

#include "pipeline/base/err.h"
#include "pipeline/model/table.h"

enum { REASONS_MAX = 500, REASONS_NAME_MAX = 200 }; /* of each kind; bytes of a name */

struct reason {
    enum reject_kind kind;
    struct str name; /* owned: the reason, or the type value of unrouted items, cut */
    uint64_t count;
    struct str example; /* owned: what one such reject says; may be empty */
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

/* Borrows the name. */
enum rc reasons_add(struct reasons *r, enum reject_kind kind, struct str name, uint64_t count,
                    struct err *err) MUST_CHECK;

/* The same for one reject, whose detail becomes the example if no earlier one has been seen. */
enum rc reasons_count(struct reasons *r, const struct reject *reject, uint32_t segment,
                      struct err *err) MUST_CHECK;

/* Rejects first; the most frequent first, then by name: the same whatever the workers did. */
void reasons_sort(struct reasons *r);

#endif
