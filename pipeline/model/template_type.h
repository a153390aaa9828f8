/* SPDX-License-Identifier: MIT */
/* What matching and printing templates share: spellings of typed parts, optional tails. */
#ifndef MODEL_TEMPLATE_TYPE_H
#define MODEL_TEMPLATE_TYPE_H

#include "pipeline/model/template.h"

/* True if text is the one spelling that a value of the type prints as; pad: least width. */
bool tpl_type_spells(enum col_type type, uint32_t pad, struct str text);

/*
 * The piece with which the tail of an optional part begins: the literal before it, if there is
 * one that is not the template's head.
 */
uint32_t tpl_tail(const struct tpl *t, uint32_t part);

#endif
