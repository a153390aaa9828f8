/* SPDX-License-Identifier: MIT */
/* Key templates at work: an attribute's text is split into parts. */
#ifndef STAGE_KEYS_H
#define STAGE_KEYS_H

#include "pipeline/stage/shape.h"

/* Fills the slots of the parts. An absent attribute has no parts. RC_OK, RC_DATA, RC_NOMEM. */
enum rc key_apply(const struct key_match *key, struct frame *f) MUST_CHECK;

#endif
