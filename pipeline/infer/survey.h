/* SPDX-License-Identifier: MIT */
/*
 * The one pass over a source: a task of the engine that keeps a sample of its items. An item is in
 * it if the hash of its bytes lies below a threshold, which halves when the sample grows beyond its
 * budget: so the sample is a function of the items alone, however many workers saw them.
 */
#ifndef INFER_SURVEY_H
#define INFER_SURVEY_H

#include <stdatomic.h>

#include "pipeline/base/env.h"
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
    size_t budget; /* bytes of the sample */
    const atomic_bool *stop;
    void (*tick)(void *ctx, uint64_t items, uint64_t bytes);
    void *tick_ctx;
};

void survey_release(struct infer_sample *s);

enum rc survey_run(const struct infer_survey *survey, struct infer_sample *out,
                   struct err *err) MUST_CHECK;

#endif
