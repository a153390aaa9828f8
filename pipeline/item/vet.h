/* SPDX-License-Identifier: MIT */
/*
 * What the two readers of an item share: how scalars and sets are checked once their text is
 * at hand. Private to the decoder.
 */
#ifndef ITEM_VET_H
#define ITEM_VET_H

#include "pipeline/base/arena.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"

enum { ITEM_DEPTH_MAX = 32 }; /* maps and lists within each other, below the item itself */

struct vet {
    struct str raw;
    struct arena *arena;
    struct fault *why;
};

/* The kind a type tag stands for, or VAL_MISSING. */
enum val_kind vet_tag(struct str tag);

/* The value of kind S, N or B spelled by `text` (borrowed, must outlive the value). */
enum rc vet_scalar(struct vet *w, enum val_kind kind, struct str text, size_t at,
                   struct val *out) MUST_CHECK;

/* Sorts the elements of a set in place; an equal pair is a fault. */
enum rc vet_set(struct vet *w, struct val *set, size_t at) MUST_CHECK;

/* No two members of the same name; *which is the later of the pair otherwise. */
bool vet_unique(const struct member *members, uint32_t n, struct arena *scratch,
                uint32_t *which, enum rc *rc);

#endif
