/* SPDX-License-Identifier: MIT */
/* What the values of a column have in common, and the type that follows. */
#ifndef INFER_FACTS_H
#define INFER_FACTS_H

#include "pipeline/infer/design.h"

/* Counts one value. */
void facts_add(struct infer_design *d, struct infer_facts *f, const struct val *v);

/* Counts a text cut out of a key. */
void facts_add_text(struct infer_design *d, struct infer_facts *f, struct str s);

/* Looks at all values of a column: those of its node, or its texts. */
void facts_of_column(struct infer_design *d, const struct infer_table *t,
                     struct infer_column *c);

/* Decides type, unit, lossy and null_if from the facts. */
void facts_decide(struct infer_design *d, struct infer_column *c);

/* The type of a list column, or NULL if its elements have none in common. */
const char *facts_list_type(const struct infer_node *node);

/* Does the value hold bytes or a set, which jsonb takes only by a lossy rule? */
bool facts_lossy(const struct val *v);

#endif
