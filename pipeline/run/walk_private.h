/* SPDX-License-Identifier: MIT */
/* The inside of a walk: levels, which mirror the maps of an item, and the names known in each. */
#ifndef RUN_WALK_PRIVATE_H
#define RUN_WALK_PRIVATE_H

#include "pipeline/base/map.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/walk.h"

struct node {
    struct str name;
    uint32_t slot;
    bool consumed, exploded, dropped;
    bool simple;              /* never a part of it is left: its value goes to the slot */
    bool once;                /* made for this item alone */
    struct walk_level *below; /* NULL: the value is not looked into */
    struct node *guess;       /* what followed this one last time */
};

struct walk_level {
    struct walk_level *top; /* of the item */
    uint32_t learnt;        /* by the top and all below it */
    const struct plan *plan;
    const struct shape *shape;
    struct path shown; /* the path columns see below this level; n == 0 at the root */
    uint32_t flatten;  /* how many levels from here on are matched with columns */
    bool root;
    bool picked; /* names that are not mentioned are dropped */
    bool drops;  /* a stage drops some member */
    struct arena arena;
    struct map index;
    struct node **nodes;
    size_t n, cap;
    struct node *first; /* the guess for the first member */
};

/* A name that the model does not mention, resolved and remembered; NULL when out of memory. */
struct node *walk_learn(struct walk_level *l, struct str name);

/* The same past the bound: into the page's arena, for this item alone. */
struct node *walk_resolve_once(struct walk_level *l, struct str name, struct arena *a);

#endif
