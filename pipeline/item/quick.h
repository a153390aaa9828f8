/* SPDX-License-Identifier: MIT */
/*
 * The quick reader of items in their common spelling. It decides nothing that is doubtful:
 * whatever it does not take is read again by the careful reader, whose word on faults is the
 * only one. What both take must be equal. Private to the decoder.
 */
#ifndef ITEM_QUICK_H
#define ITEM_QUICK_H

#include "pipeline/base/arena.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"
#include "pipeline/item/vet.h"

struct known_name;
struct known_names;

struct quick {
    struct member *members; /* members of the maps being read, innermost last */
    struct val *vals;       /* likewise elements of lists and sets */
    size_t nmembers, capmembers, nvals, capvals;
    struct known_names *known;
    struct known_name *first[ITEM_DEPTH_MAX + 2]; /* of the last map at each depth */
    struct arena *arena;                          /* of the call under way, as is the next */
    const char *end;
    struct fault unused; /* for helpers that tell what is wrong: here it only matters that */
};

void quick_init(struct quick *q);
void quick_release(struct quick *q);

/* True if the item was taken. The result lives in `a` and points into `raw`. */
bool quick_item(struct quick *q, struct str raw, struct arena *a, struct item *out);

#endif
