/* SPDX-License-Identifier: MIT */
/* Which attributes a stage names, noted while it is compiled. */
#ifndef PLAN_WATCHES_H
#define PLAN_WATCHES_H

#include "pipeline/plan/scope.h"

/* The stage being compiled, if there is one, looks for this path in that slot. */
void watches_add(struct scope *s, const struct path *path, uint32_t slot);

#endif
