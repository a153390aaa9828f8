/* SPDX-License-Identifier: MIT */
/* Several entities in one shape of keys: told apart by attributes that never come together. */
#ifndef INFER_ATTRIBUTE_SPLIT_H
#define INFER_ATTRIBUTE_SPLIT_H

#include "pipeline/infer/design.h"

/*
 * Splits the entity if its items fall into groups none of whose attributes is in another group, and
 * each group has an attribute of its own in all of its items. What is split off is added to the design.
 */
void attribute_split(struct infer_design *d, struct infer_entity *e);

#endif
