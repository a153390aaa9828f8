/* SPDX-License-Identifier: MIT */
/* Templates of keys and of further attributes: constants and parts, and the columns of the parts. */
#ifndef INFER_TEMPLATES_H
#define INFER_TEMPLATES_H

#include "pipeline/infer/entities/shapes.h"

/* Makes the forms of an entity from the shapes of its items. */
void templates_forms(struct infer_design *d, struct infer_entity *e,
                     const struct infer_shapes *shapes);

/* Gives the parts of all forms columns of the entity's table. */
void templates_columns(struct infer_design *d, struct infer_entity *e);

/*
 * The parts of a text by a template, at most INFER_TOKENS_MAX, p == NULL where one is absent; false
 * if it does not match. As transform matches: each part is the shortest up to the next constant.
 */
bool templates_match(const struct infer_template *t, struct str text,
                     struct str parts[INFER_TOKENS_MAX]);

/* The last word of a constant: what the part behind it is called after. May be empty. */
struct str templates_word(struct str literal, struct str separator);

/* Appends the template as the model writes it. */
void templates_print(const struct infer_template *t, const struct infer_table *table,
                     struct buf *out);

#endif
