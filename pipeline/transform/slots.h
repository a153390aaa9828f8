/* SPDX-License-Identifier: MIT */
/*
 * The one pass over an item: each member is looked up by its name and put into its slot or
 * into the rest. Names are resolved once per worker and remembered; the next name is guessed
 * from what followed the last one in the item before, so that most cost one comparison.
 */
#ifndef TRANSFORM_SLOTS_H
#define TRANSFORM_SLOTS_H

#include "pipeline/plan/shape.h"

struct plan;
struct slots_level;

/* A member that no column took, and where a stage may have changed its value. */
struct rest_entry {
    struct str name;
    const struct val *val;                /* NULL: a map of what is below */
    struct rest_list *below;              /* what is left of a map */
    uint32_t slot;                        /* SLOT_NONE, or the slot whose value counts */
    bool extracted;                       /* left over only if no extract takes the slot */
    bool may_lose;                        /* left over only if another one was preferred */
    const struct explanations *explained; /* NULL, or left over only if none of these holds */
    const struct member *left_out; /* NULL, or if it is left over it is left out after all .. */
    bool indexed;                  /* .. and counted */
};

struct rest_list {
    struct rest_entry *v;
    uint32_t n;
    size_t cap;
};

/* The names of one shape as one worker knows them. Returns owned, or NULL. thread: worker. */
struct slots_level *slots_new(const struct plan *plan, const struct shape *shape);
void slots_free(struct slots_level *level);

/* Sets slots (zeroed by the caller) and collects the rest. RC_OK, RC_DATA (ambiguous), RC_NOMEM. */
enum rc slots_members(struct slots_level *level, const struct member *members, uint32_t n,
                      struct frame *f, struct rest_list *rest) MUST_CHECK;

#endif
