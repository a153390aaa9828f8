/* SPDX-License-Identifier: MIT */
/*
 * References: values of a column that stand among the keys of another table, and something that
 * says it is no chance: the same prefix, a name, or values that nobody makes twice.
 */
#ifndef INFER_REFERENCES_H
#define INFER_REFERENCES_H

#include "pipeline/infer/design.h"

/* `strong`: those with a prefix or a name behind them; else those by their values, where there is none. */
void references_find(struct infer_design *d, bool strong);

/* Columns that refer to one another get one type. */
void references_unify_types(struct infer_design *d);

#endif
