/* SPDX-License-Identifier: MIT */
/* What becomes of attributes that no column takes: `extra`, a document of all that is left, or
   a reason to reject. */
#ifndef TRANSFORM_REST_H
#define TRANSFORM_REST_H

#include "pipeline/transform/slots.h"

/* Takes out what no form of the item's keys explains and "indexing" or a stage leaves out then.
   To be called when the parts are known. */
void rest_leave_out(struct rest_list *rest, struct frame *f);

/* Fills the cell for them, where the shape has one. Borrows `scratch`, for use again. */
enum rc rest_put(struct buf *scratch, const struct rest_list *rest, struct frame *f,
                 struct datum *cells) MUST_CHECK;

#endif
