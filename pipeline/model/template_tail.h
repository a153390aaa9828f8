/* SPDX-License-Identifier: MIT */
/* What matching and printing templates share: optional tails. */
#ifndef MODEL_TEMPLATE_TAIL_H
#define MODEL_TEMPLATE_TAIL_H

#include "pipeline/model/template.h"

/*
 * The piece with which the tail of an optional part begins: the literal before it, if there is
 * one that is not the template's head.
 */
uint32_t template_tail(const struct template *t, uint32_t part);

#endif
