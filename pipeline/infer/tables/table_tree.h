/* SPDX-License-Identifier: MIT */
/* Tables while they are inferred: their rows as a tree of attributes, their columns. */
#ifndef INFER_TABLE_TREE_H
#define INFER_TABLE_TREE_H

#include "pipeline/infer/design.h"

struct infer_table *table_new(struct infer_design *d, uint32_t nrows);

/* A column without values; its name may be changed later. NULL: out of memory. */
struct infer_column *table_add_column(struct infer_design *d, struct infer_table *t,
                                      struct str name, enum infer_origin origin);

/* Adds the members of a map to the tree below `node`. */
void table_add_members(struct infer_design *d, struct infer_node *node, uint32_t row,
                       const struct member *v, uint32_t n);

/* Adds one value to the tree below `node`, under that name. */
void table_add_value(struct infer_design *d, struct infer_node *node, uint32_t row,
                     struct str name, const struct val *v);

/* The member of the node, or NULL. */
struct infer_node *table_kid(const struct infer_node *node, struct str name);

/* How many of the values seen are neither missing nor NULL. */
uint32_t table_filled(const struct infer_node *node);

/* Makes the table of an entity: all attributes of its items but those whose keys have templates. */
void table_of_entity(struct infer_design *d, struct infer_entity *e);

/* Sorted, different numbers of a column's values, into set; done once. */
void table_set(struct infer_design *d, struct infer_column *c);

/* Is the number among the column's? After table_set. */
bool table_has(const struct infer_column *c, uint32_t number);

/* Are no two rows alike in these columns, and is none of them empty anywhere? */
bool table_unique(struct infer_design *d, const struct infer_table *t, const uint32_t *columns,
                  uint32_t n);

/* A row's values of several columns as one number; false if one is missing. */
bool table_row_hash(const struct infer_table *t, const uint32_t *columns, uint32_t n,
                    uint32_t row, uint64_t *hash);

#endif
