/* SPDX-License-Identifier: MIT */
/* What became of asking for a segment: it is ours, or there is nothing to do about it. */
#ifndef RUN_CLAIM_H
#define RUN_CLAIM_H

#include <stdint.h>

#include "pipeline/base/str.h"

enum claim_state { CLAIM_MINE, CLAIM_DONE, CLAIM_OTHER };

struct claim {
    enum claim_state state;
    uint32_t epoch;
    struct str
        resume; /* owned by who was asked, valid until the segment is done; empty at the start */
};

/* Segments that are to be claimed. */
struct claim_list {
    uint32_t *v;
    size_t n;
};

#endif
