/* SPDX-License-Identifier: MIT */
/* Which items are of one entity: by type, else by the shape of their keys and their attributes. */
#ifndef INFER_ENTITIES_H
#define INFER_ENTITIES_H

#include "pipeline/infer/entities/shapes.h"

/* Fills the entities of the design with their items and forms; tables are not made yet. */
void entities_find(struct infer_design *d);

#endif
