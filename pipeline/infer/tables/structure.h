/* SPDX-License-Identifier: MIT */
/*
 * What becomes of maps and lists: members of a stable map are columns, maps whose names are data
 * and lists of maps are child tables, lists of plain values are arrays, all else is a document.
 */
#ifndef INFER_STRUCTURE_H
#define INFER_STRUCTURE_H

#include "pipeline/infer/design.h"

/* Makes columns of the table's attributes, and its child tables. */
void structure_columns(struct infer_design *d, struct infer_table *t);

/*
 * A column name that is not taken in the table, nor by an attribute that is no column: `name`, or
 * with a number behind. `node`: the attribute it is for, or NULL.
 */
struct str structure_free_name(struct infer_design *d, const struct infer_table *t,
                               struct str name, const struct infer_node *node);

#endif
