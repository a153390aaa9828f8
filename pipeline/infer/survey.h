/* SPDX-License-Identifier: MIT */
/*
 * A pass over a source: a task of the engine that keeps a sample of its items. An item is in
 * it if the hash of its bytes lies below a threshold, which halves when the sample grows beyond its
 * budget: so the sample is a function of the items alone, however many workers saw them.
 */
#ifndef INFER_SURVEY_H
#define INFER_SURVEY_H

#include <stdatomic.h>

#include "pipeline/base/env.h"
#include "pipeline/plan/plan.h"
#include "pipeline/source/source.h"

struct infer_kept {
    uint64_t hash;
    char *p; /* owned */
    size_t n;
};

struct infer_sample {
    struct infer_kept *v; /* by hash, then bytes; no two are equal */
    size_t n, cap;
    uint64_t threshold; /* items with this hash or a larger one are not in it */
    size_t bytes, budget;
    uint64_t read;   /* items in all */
    uint64_t faults; /* bytes that are no item */
    char fault[200]; /* of the first of them */
};

struct infer_survey {
    struct source *source;
    uint32_t workers;
    size_t budget;           /* bytes of the sample */
    const struct plan *plan; /* only items that do not fit it are kept; NULL: all are */
    /* Opens the source once more, in place of `source`; NULL: it is read only once. */
    enum rc (*again)(struct infer_survey *survey, struct err *err);
    void *again_ctx;
    const atomic_bool *stop;
};

/* Adds one, whatever the threshold; takes its bytes. */
enum rc survey_keep(struct infer_sample *s, struct infer_kept k, struct err *err) MUST_CHECK;

/* By hash, then bytes. */
void survey_sort(struct infer_sample *s);

void survey_release(struct infer_sample *s);

enum rc survey_run(const struct infer_survey *survey, struct infer_sample *out,
                   struct err *err) MUST_CHECK;

#endif
