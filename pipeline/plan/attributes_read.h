/* SPDX-License-Identifier: MIT */
/* Which attributes of an item a plan reads, where that can be told beforehand. */
#ifndef PLAN_ATTRIBUTES_READ_H
#define PLAN_ATTRIBUTES_READ_H

#include "pipeline/plan/plan.h"

struct attributes_read {
    struct names names;    /* that the model names: keys, type, TTL, conditions, columns */
    struct names maybe;    /* spellings of columns that are found by their names */
    struct names unlisted; /* columns found by a name with more spellings than can be listed */
    bool kept;             /* the rest is kept, or a reason to reject */
    bool rest;             /* others may matter: it is kept, or there are unlisted columns */
};

/* The names live in the arena. RC_OK or RC_NOMEM. */
enum rc plan_attributes_read(const struct plan *plan, struct arena *a,
                             struct attributes_read *out) MUST_CHECK;

#endif
