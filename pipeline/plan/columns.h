/* SPDX-License-Identifier: MIT */
/* From a column of the model to a cell that can be filled: which slots feed it. */
#ifndef PLAN_COLUMNS_H
#define PLAN_COLUMNS_H

#include "pipeline/plan/scope.h"

/* Makes the attributes known that the `from` of any column names. To be called first. */
void columns_mention(struct scope *s, const struct columns_spec *columns);

/* Tells what is certain to fail with items, if the planner was asked to. */
void columns_certain(struct scope *s, const struct columns_spec *columns);

/*
 * Finds the sources of column i: what `from` names; else every attribute and part whose path
 * is byte-equal to the name or equal to it in snake case and that no other column has a better
 * claim to, and attributes nobody mentions (through the shape's open slots). Marks the
 * attributes as consumed.
 */
void columns_fill(struct scope *s, const struct columns_spec *columns, uint32_t i,
                  struct str table, struct fill *out);

#endif
