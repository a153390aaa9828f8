/* SPDX-License-Identifier: MIT */
/* Which attributes of an item a plan reads, where that can be told beforehand. */
#ifndef PLAN_NEEDS_H
#define PLAN_NEEDS_H

#include "pipeline/plan/plan.h"

struct needs {
    struct names
        names; /* attributes that the model names: keys, type, TTL, conditions, columns */
    bool rest; /* others may matter: the rest is kept, or a column is found by its name */
};

/* The names live in the arena. RC_OK or RC_NOMEM. */
enum rc plan_needs(const struct plan *plan, struct arena *a, struct needs *out) MUST_CHECK;

#endif
