/* SPDX-License-Identifier: MIT */
/*
 * What items say against the key templates that took them: a part that swallowed a separator of its
 * own template (`u#{user_id}` that took `u#7#follower`), and items that an entity further down would
 * have taken as well. Both are counted, with the first of them for an example.
 */
#ifndef TRANSFORM_KEY_DOUBTS_H
#define TRANSFORM_KEY_DOUBTS_H

#include "pipeline/transform/transform.h"

enum { KEY_DOUBTS = 64 }; /* of each kind; further ones are not looked at */

/* A part that holds a separator. All texts are valid until the owner is freed. */
struct key_swallow {
    uint32_t entity;
    const struct key_spec *key;
    const struct template_piece *part;
    struct str separator;
    struct str example; /* the attribute's value; empty where the model masks */
    uint64_t items;
};

/* Items of one entity that a later one matches. */
struct key_overlap {
    uint32_t entity, later;
    struct str example; /* the item's key; empty where the model masks */
    uint64_t items;
};

struct key_doubts {
    const struct plan *plan; /* borrowed */
    struct arena arena;
    struct key_swallow swallows[KEY_DOUBTS];
    uint32_t nswallows;
    struct key_overlap overlaps[KEY_DOUBTS];
    uint32_t noverlaps;
};

void key_doubts_init(struct key_doubts *d, const struct plan *plan);
void key_doubts_release(struct key_doubts *d);

/* Takes the trace of an item. Items that no entity took are passed over. */
enum rc key_doubts_add(struct key_doubts *d, const struct transform_trace *t,
                       struct err *err) MUST_CHECK;

#endif
