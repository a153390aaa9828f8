/* SPDX-License-Identifier: MIT */
/* What slots.c and slots_level.c share: levels, which mirror the maps of an item, and the names
   known in each. */
#ifndef TRANSFORM_SLOTS_PRIVATE_H
#define TRANSFORM_SLOTS_PRIVATE_H

#include "pipeline/base/map.h"
#include "pipeline/plan/plan.h"
#include "pipeline/transform/slots.h"

struct slots_node {
    struct str name;
    uint32_t slot;
    bool consumed, exploded, by_parts, dropped;
    bool indexed;              /* dropped by "indexing" alone */
    bool simple;               /* its whole value goes to the slot, nothing of it to the rest */
    bool plain;                /* simple, and nothing is counted or asked */
    bool once;                 /* made for this item alone */
    struct slots_level *below; /* NULL: the value is not looked into */
    const struct explanations *explained;      /* of the name_node */
    bool otherwise_dropped, otherwise_indexed; /* where it is not explained after all */
    struct slots_node *guess;                  /* what followed this one last time */
};

struct slots_level {
    struct slots_level *top; /* of the item */
    uint32_t learnt;         /* by the top and all below it */
    const struct plan *plan;
    const struct shape *shape;
    struct path shown; /* the path columns see below this level; n == 0 at the root */
    uint32_t flatten;  /* how many levels from here on are matched with columns */
    bool root;
    bool picked; /* names that are not mentioned are dropped */
    bool drops;  /* a stage drops some member */
    struct arena arena;
    struct map index;
    struct slots_node **nodes;
    size_t n, cap;
    struct slots_node *first; /* the guess for the first member */
};

/* A name that the model does not mention, resolved and remembered; NULL when out of memory. */
struct slots_node *slots_learn(struct slots_level *l, struct str name);

/* The same when too many names are remembered: for this item alone, in the page's arena. */
struct slots_node *slots_resolve_once(struct slots_level *l, struct str name, struct arena *a);

#endif
