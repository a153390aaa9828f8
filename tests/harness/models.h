/* SPDX-License-Identifier: MIT */
/* A model that a test writes, read and compiled. */
#ifndef HARNESS_MODELS_H
#define HARNESS_MODELS_H

#include "pipeline/plan/plan.h"

struct models {
    struct problems problems;
    struct model *model;
    struct plan *plan;
};

/* Ends the test, with all that is wrong with it, if that fails. */
void models_make(struct models *m, struct str text);
void models_release(struct models *m);

#endif
