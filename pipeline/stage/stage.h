/* SPDX-License-Identifier: MIT */
/*
 * A stage is one step of re-normalization, and one file: the struct of its spec, how it is read
 * from the model, what it does to the names of a scope (and, through ops, to values), and how it
 * is explained; at the end its row. No stage knows another, nobody knows a stage but by its row.
 */
#ifndef STAGE_STAGE_H
#define STAGE_STAGE_H

#include "pipeline/model/read/reader.h"
#include "pipeline/plan/scope.h"
#include "pipeline/transform/transform.h"

/* All stages, in the order that messages list them; the last is NULL. */
extern const struct stage *const stage_table[];

/* The `explain` of stages whose spec is nothing but struct paths. */
void stage_explain_paths(const void *spec, const struct stage_explain *x);

#endif
