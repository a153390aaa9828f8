/* SPDX-License-Identifier: MIT */
/* Key templates at work: an attribute's text is split into parts. For the keys of an entity, for
   those of the keys stage, and for the templates of a backfill. */
#ifndef PLAN_KEY_PARTS_H
#define PLAN_KEY_PARTS_H

#include "pipeline/plan/scope.h"

/* Makes the parts known under their names, and adds the ops that fill them. */
void key_parts_plan(struct scope *s, const struct keys_spec *keys);

/* Fills the slots of the parts. An absent attribute has no parts. RC_OK, RC_DATA, RC_NOMEM. */
enum rc key_parts_apply(const struct key_match *key, struct frame *f) MUST_CHECK;

/* Refuses an item whose attributes, in slots[v[i].slot], fit no form of the keys. */
enum rc key_parts_refuse(const struct keys_spec *keys, const struct key_match *v,
                         struct frame *f) MUST_CHECK;

/* `PK "ORDER#{id}"  id="7"`: each template and what it finds in the item, `before` each one. Of
   several forms those that the item does not have are told by what contradicts them. */
void key_parts_explain(const struct keys_spec *keys, const struct item *item,
                       const char *before, const char *after, struct buf *out);

#endif
