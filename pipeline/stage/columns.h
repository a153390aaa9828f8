/* SPDX-License-Identifier: MIT */
/* From a column of the model to a cell that can be filled: which slots feed it. */
#ifndef STAGE_COLUMNS_H
#define STAGE_COLUMNS_H

#include "pipeline/stage/scope.h"

/* Makes the attributes known that the `from` of any column names. To be called first. */
void columns_mention(struct scope *s, const struct columns_spec *columns);

/*
 * Finds the sources of column i: what `from` names; else every attribute and part whose path
 * is byte-equal to the name or equal to it in snake case and that no other column has a better
 * claim to, and attributes nobody mentions (through the shape's open slots). Marks the
 * attributes as consumed.
 */
void column_fill(struct scope *s, const struct columns_spec *columns, uint32_t i,
                 struct str table, struct fill *out);

/* Members joined by '_', as the byte-equal rule reads a path. */
struct str path_join(struct arena *a, const struct path *path);

#endif
