/* SPDX-License-Identifier: MIT */
/*
 * The one pass over an item: each member is looked up by its name and put into its slot or
 * into the rest. Names are resolved once per worker and remembered; the next name is guessed
 * from what followed the last one in the item before, so that most cost one comparison.
 */
#ifndef RUN_WALK_H
#define RUN_WALK_H

#include "pipeline/stage/shape.h"

struct plan;
struct walk_level;

/* A member that no column took, and where a stage may have changed its value. */
struct rest_entry {
    struct str name;
    const struct val *val;   /* NULL: a map of what is below */
    struct rest_list *below; /* what is left of a map */
    uint32_t slot;           /* SLOT_NONE, or the slot whose value counts */
    bool extracted;          /* left over only if no extract takes the slot */
};

struct rest_list {
    struct rest_entry *v;
    uint32_t n, cap;
};

/* The names of one shape as one worker knows them. Returns owned, or NULL. thread: worker. */
struct walk_level *walk_new(const struct plan *plan, const struct shape *shape);
void walk_free(struct walk_level *level);

/* Sets slots (zeroed by the caller) and collects the rest. RC_OK, RC_DATA (ambiguous), RC_NOMEM. */
enum rc walk_members(struct walk_level *level, const struct member *members, uint32_t n,
                     struct frame *f, struct rest_list *rest) MUST_CHECK;

#endif
