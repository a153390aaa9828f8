/* SPDX-License-Identifier: MIT */
/* Casts of values that are written as texts, with ' for ". */
#ifndef HARNESS_CASTS_H
#define HARNESS_CASTS_H

#include "tests/harness/items.h"

/* Into w->cell or w->why. */
enum rc casts_try(struct items_world *w, const char *text, struct cast cast);

/* The cell is this JSON. `lossy` is both what the column allows and what must have been needed. */
void casts_expect(struct items_world *w, const char *text, struct cast cast, const char *json);
void casts_expect_refused(struct items_world *w, const char *text, struct cast cast);

#endif
