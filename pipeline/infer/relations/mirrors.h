/* SPDX-License-Identifier: MIT */
/* Relationships that are stored twice, once from each side. */
#ifndef INFER_MIRRORS_H
#define INFER_MIRRORS_H

#include "pipeline/infer/design.h"

/* Before tables are made: two shapes of keys whose pairs of parts are the same turned round. */
void mirrors_find(struct infer_design *d);

/* Before references are: what stands behind a sort key here is known by its prefix there. */
void mirrors_prefixes(struct infer_design *d);

/* After references are known: pairs of one table that stand in it both ways. */
void mirrors_symmetric(struct infer_design *d);

#endif
