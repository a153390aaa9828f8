/* SPDX-License-Identifier: MIT */
/* What tables, entities and the parts of keys are called. */
#ifndef INFER_NAMING_H
#define INFER_NAMING_H

#include "pipeline/infer/design.h"

/* Gives tables their words and names, from types, keys and the attributes that repeat ids. */
void naming_tables(struct infer_design *d);

/* A name that no other table has: `name`, or with a number behind. */
struct str naming_free_table(struct infer_design *d, const struct infer_entity *e,
                             struct str name);

/* Gives the children of a table their names. */
void naming_children(struct infer_design *d, struct infer_table *t);

/* Gives parts of keys names, when keys and references are known, and children theirs. */
void naming_parts(struct infer_design *d);

#endif
