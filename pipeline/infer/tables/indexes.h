/* SPDX-License-Identifier: MIT */
/*
 * Attributes that are put together like keys: those of indexes, and references that carry the
 * prefix of what they refer to. What repeats other columns is left out; what stands nowhere else
 * becomes a column.
 */
#ifndef INFER_INDEXES_H
#define INFER_INDEXES_H

#include "pipeline/infer/design.h"

/* Before: which attributes are put together like keys in every entity that has them. */
void indexes_names(struct infer_design *d);

void indexes_find(struct infer_design *d, struct infer_table *t);

#endif
