/* SPDX-License-Identifier: MIT */
/*
 * The model as proposed, run over the items: what it rejects tells which decision was too narrow.
 */
#ifndef INFER_REPAIR_H
#define INFER_REPAIR_H

#include "pipeline/infer/design.h"
#include "pipeline/transform/transform.h"

/* A model's text compiled, and items' way through it. */
struct repair_trial {
    struct problems problems;
    struct model *model;
    struct plan *plan;
    struct transform *pass;
};

/* Close it, whatever this returns. */
enum rc repair_open(struct repair_trial *t, struct str text, struct err *err) MUST_CHECK;
void repair_close(struct repair_trial *t);

/* *changed: a decision was turned round, and the model is to be written again. */
enum rc repair_round(struct infer_design *d, struct str model, bool *changed,
                     struct err *err) MUST_CHECK;

#endif
