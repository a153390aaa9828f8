/* SPDX-License-Identifier: MIT */
/* Primary keys: the smallest that is safe. */
#ifndef INFER_KEY_CHOICE_H
#define INFER_KEY_CHOICE_H

#include "pipeline/infer/design.h"

/* Which columns the key of an entity's items gives, in order. */
void key_choice_parts(struct infer_design *d, struct infer_entity *e);

/* Makes a key attribute that is a column part of the table's primary key, if it is then unique. */
void key_choice_attribute(struct infer_design *d, struct infer_table *t, struct str name);

/* Chooses the primary keys of all tables. */
void key_choice_make(struct infer_design *d);

#endif
