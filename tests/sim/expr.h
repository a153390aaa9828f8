/* SPDX-License-Identifier: MIT */
/*
 * Condition, filter, projection and update expressions, evaluated while they are read. Updates
 * know SET (values, paths, if_not_exists) and REMOVE of top-level attributes.
 */
#ifndef SIM_EXPR_H
#define SIM_EXPR_H

#include "tests/sim/lex.h"

/* True if the condition holds for scope->item; errors are left in the scope. */
bool expr_condition(struct lex_scope *scope, struct str text);

/* Applies an update to `target`, a copy of scope->item. */
void expr_update(struct lex_scope *scope, struct str text, yyjson_mut_doc *doc,
                 yyjson_mut_val *target);

/* Copies the projected top-level attributes of scope->item. */
void expr_project(struct lex_scope *scope, struct str text, yyjson_mut_doc *doc,
                  yyjson_mut_val *target);

#endif
