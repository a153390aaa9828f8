/* SPDX-License-Identifier: MIT */
/* Key templates at work: an attribute's text is split into parts. For the keys of an entity, for
   those of the keys stage, and for the templates of a backfill. */
#ifndef PLAN_KEY_PARTS_H
#define PLAN_KEY_PARTS_H

#include "pipeline/plan/scope.h"

/* Makes the parts known under their names, and adds the op that fills them. */
void key_parts_plan(struct scope *s, const struct key_spec *spec);

/* Fills the slots of the parts. An absent attribute has no parts. RC_OK, RC_DATA, RC_NOMEM. */
enum rc key_parts_apply(const struct key_match *key, struct frame *f) MUST_CHECK;

/* `PK "ORDER#{id}"  id="7"`: a template and what it finds in the item. */
void key_parts_explain(const struct key_spec *key, const struct item *item, struct buf *out);

#endif
