/* SPDX-License-Identifier: MIT */
/* A change that outlives the page or the answer it was computed from. */
#ifndef SINKS_DYNAMODB_RECIPE_CHANGE_H
#define SINKS_DYNAMODB_RECIPE_CHANGE_H

#include "sinks/dynamodb/recipe/recipe.h"

/* Values are copied whole into the arena; paths stay the recipe's. RC_OK or RC_NOMEM. */
enum rc change_copy(const struct change *from, struct arena *a, struct change *to) MUST_CHECK;

/* The same targets, from the same values to the same? */
bool change_same(const struct change *a, const struct change *b);

/* Some of the targets, from the same values to the same? */
bool change_part(const struct change *part, const struct change *whole);

#endif
