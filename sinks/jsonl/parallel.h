/* SPDX-License-Identifier: MIT */
/* Work of the last steps, spread over threads. */
#ifndef SINKS_JSONL_PARALLEL_H
#define SINKS_JSONL_PARALLEL_H

#include <stdint.h>

#include "pipeline/base/err.h"

/* thread: its own. `index` tells the calls apart. */
typedef enum rc jsonl_parallel_work(void *ctx, uint32_t index, struct err *err);

/* Calls it in n threads at once (at least one, at most 64) and waits for all; the first failure. */
enum rc jsonl_parallel(uint32_t n, jsonl_parallel_work *work, void *ctx,
                       struct err *err) MUST_CHECK;

#endif
