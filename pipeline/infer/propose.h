/* SPDX-License-Identifier: MIT */
/* A source read, a model proposed, tried on the items and repaired until it takes all of them. */
#ifndef INFER_PROPOSE_H
#define INFER_PROPOSE_H

#include "pipeline/infer/decide.h"
#include "pipeline/infer/survey.h"

struct infer_result {
    struct infer_design design;
    struct infer_sample sample;
    struct buf model;     /* the text */
    uint64_t undecodable; /* items of the sample that no model can load */
    char reason[300];     /* of one of them */
    bool
        untried; /* some items of a large source may not fit: it was not tried on all of them */
};

/* `name` is the model's. Release with propose_release, whatever it returns. */
enum rc propose_model(struct infer_survey *survey, struct str name, struct infer_result *out,
                      struct err *err) MUST_CHECK;
void propose_release(struct infer_result *r);

#endif
