/* SPDX-License-Identifier: MIT */
/*
 * What the two readers of an item share: how scalars and sets are checked once their text is
 * at hand. Private to the decoder.
 */
#ifndef ITEM_DECODE_CHECK_H
#define ITEM_DECODE_CHECK_H

#include "pipeline/base/arena.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"

enum { ITEM_DEPTH_MAX = 32 }; /* maps and lists within each other, below the item itself */

struct decode_check {
    struct str raw;
    struct arena *arena;
    struct fault *why;
};

/* The kind a type tag stands for, or VAL_MISSING. */
enum val_kind decode_check_tag(struct str tag);

/* The value of kind S, N or B spelled by `text` (borrowed, must outlive the value). */
enum rc decode_check_scalar(struct decode_check *w, enum val_kind kind, struct str text,
                            size_t at, struct val *out) MUST_CHECK;

/* Sorts the elements of a set in place; an equal pair is a fault. */
enum rc decode_check_set(struct decode_check *w, struct val *set, size_t at) MUST_CHECK;

/* No two members of the same name; *which is the later of the pair otherwise. */
bool decode_check_unique(const struct member *members, uint32_t n, struct arena *scratch,
                         uint32_t *which, enum rc *rc);

#endif
