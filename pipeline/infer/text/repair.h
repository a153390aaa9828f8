/* SPDX-License-Identifier: MIT */
/*
 * The model as proposed, run over the items: what it rejects tells which decision was too narrow.
 */
#ifndef INFER_REPAIR_H
#define INFER_REPAIR_H

#include "pipeline/infer/design.h"

/* *changed: a decision was turned round, and the model is to be written again. */
enum rc repair_round(struct infer_design *d, struct str model, bool *changed,
                     struct err *err) MUST_CHECK;

#endif
