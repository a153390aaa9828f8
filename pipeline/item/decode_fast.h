/* SPDX-License-Identifier: MIT */
/*
 * The fast decoder of items in their common spelling. It decides nothing that is doubtful:
 * whatever it does not take is read again by the careful decoder, whose word on faults is the
 * only one. What both take must be equal. Private to the decoder.
 */
#ifndef ITEM_DECODE_FAST_H
#define ITEM_DECODE_FAST_H

#include "pipeline/base/arena.h"
#include "pipeline/item/decode_check.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"

struct known_name;
struct known_names;

struct decode_fast {
    struct member *members; /* members of the maps being read, innermost last */
    struct val *vals;       /* likewise elements of lists and sets */
    size_t nmembers, capmembers, nvals, capvals;
    struct known_names *known;
    struct arena scratch;                         /* for one look at the names of a map */
    struct known_name *first[ITEM_DEPTH_MAX + 2]; /* of the last map at each depth */
    struct arena *arena;                          /* of the call under way, as is the next */
    const char *end;
    struct fault unused; /* for helpers that tell what is wrong: here it only matters that */
};

void decode_fast_init(struct decode_fast *q);
void decode_fast_release(struct decode_fast *q);

/* True if the item was taken. The result lives in `a` and points into `raw`. */
bool decode_fast_item(struct decode_fast *q, struct str raw, struct arena *a, struct item *out);

#endif
