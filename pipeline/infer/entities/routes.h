/* SPDX-License-Identifier: MIT */
/* In which order entities are tried, and what tells those apart that would take each other's items. */
#ifndef INFER_ROUTES_H
#define INFER_ROUTES_H

#include "pipeline/infer/design.h"

/* Puts entities in order, the most particular first, and finds conditions for those in conflict. */
void routes_order(struct infer_design *d);

/* Columns of one name in two entities of one table get one type. */
void routes_unify_mirror(struct infer_design *d, struct infer_entity *e);

#endif
