/* SPDX-License-Identifier: MIT */
/* What no column takes: `extra`, a document of all that is left, or a reason to reject. */
#ifndef RUN_REST_H
#define RUN_REST_H

#include "pipeline/run/walk.h"

/* Fills the cell for it, where the shape has one. `scratch` is the caller's, to be used again. */
enum rc rest_put(struct buf *scratch, const struct rest_list *rest, struct frame *f,
                 struct datum *cells) MUST_CHECK;

#endif
