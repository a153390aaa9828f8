/* SPDX-License-Identifier: MIT */
/* What one stage of the model does, and what came of it for one item: a line for people. */
#ifndef CMD_EXPLAIN_STAGE_H
#define CMD_EXPLAIN_STAGE_H

#include "pipeline/run/pass.h"

/* `PK "ORDER#{id}"  id="7"`: a template and what it finds in the item. */
void explain_key(struct buf *out, const struct key_spec *key, const struct item *item);

/* ": ..." behind the stage's name. Rows are counted from the trace. */
void explain_stage(struct buf *out, const struct stage_spec *spec, const struct schema *schema,
                   const struct pass_trace *t);

#endif
