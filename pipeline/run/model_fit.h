/* SPDX-License-Identifier: MIT */
/* Is it the right model at all? The first items of a run tell, all its workers' together. */
#ifndef RUN_MODEL_FIT_H
#define RUN_MODEL_FIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/err.h"

/* Zeroes, but for the texts, before the first item. */
struct model_fit {
    atomic_uint_fast64_t seen, bad;
    atomic_bool judged; /* the first items were looked at, or need not be */
    atomic_bool wrong;  /* they did not fit: nothing more may be kept of the run */
    const char *became; /* what bad items did: "were rejected" */
    const char *hint;   /* what to do about it */
};

/* thread: main, before the workers start. What earlier processes of the run have seen. */
void model_fit_seed(struct model_fit *f, uint64_t items, uint64_t bad);

/* thread: any. What a page adds to that. RC_SOURCE, once: it is the wrong model. */
enum rc model_fit_page(struct model_fit *f, uint64_t items, uint64_t bad,
                       struct err *err) MUST_CHECK;

#endif
