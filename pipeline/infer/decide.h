/* SPDX-License-Identifier: MIT */
/* From items to a model: the order of the steps. */
#ifndef INFER_DECIDE_H
#define INFER_DECIDE_H

#include "pipeline/infer/design.h"

void infer_init(struct infer_design *d);
void infer_release(struct infer_design *d);

/* Decides everything, from the items of the design. RC_NOMEM. */
enum rc infer_decide(struct infer_design *d, struct err *err) MUST_CHECK;

/* Decides about an entity that is added last: its items have no shape. */
void decide_last(struct infer_design *d, struct infer_entity *e);

/* Types, NOT NULL and the like once more, after a repair. */
void infer_settle(struct infer_design *d);

#endif
