/* SPDX-License-Identifier: MIT */
/*
 * How many different things there are, of which only hashes are kept: all of them while they are
 * few, and then those below a limit that sinks as more come, whose share tells the number. So
 * memory is bounded, up to DISTINCT_EXACT the number is exact, and beyond it within a percent or two.
 */
#ifndef PROFILE_DISTINCT_H
#define PROFILE_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

enum { DISTINCT_EXACT = 65536 };

struct distinct {
    uint64_t *v; /* owned: a table of hashes, 0 where there is none */
    size_t n, cap;
    uint64_t limit; /* larger hashes are not kept; 0: all are */
};

void distinct_release(struct distinct *d);

/* RC_NOMEM or RC_OK. A zeroed struct is empty. */
enum rc distinct_add(struct distinct *d, struct str thing) MUST_CHECK;
enum rc distinct_merge(struct distinct *d, const struct distinct *from) MUST_CHECK;

/* The number, and whether it is exact. */
uint64_t distinct_count(const struct distinct *d, bool *exact);

#endif
