/* SPDX-License-Identifier: MIT */
/*
 * The attribute that names the entity, whatever it is called: one value in all items of a key
 * shape, other values in other shapes; or its value decides which other attributes there are.
 */
#ifndef INFER_TYPE_ATTRIBUTE_H
#define INFER_TYPE_ATTRIBUTE_H

#include "pipeline/infer/entities/shapes.h"

/* Fills the type of the design; empty if there is none. */
void type_attribute_find(struct infer_design *d, const struct infer_shapes *shapes);

#endif
