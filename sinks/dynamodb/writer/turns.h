/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it is to write. A scan goes through a table partition by partition; writes that follow
 * it closely would all meet in one. So each write is of the segment that wrote longest ago, and
 * none writes again before TURNS_APART others have: any so many in a row are of different segments.
 * For that, segments that are about to have work are waited for; those that have none, or cannot
 * write now, are not.
 */
#ifndef SINKS_DYNAMODB_WRITER_TURNS_H
#define SINKS_DYNAMODB_WRITER_TURNS_H

#include <stdint.h>

enum { TURNS_APART = 16 };

enum turns_state {
    TURNS_IDLE,    /* nothing to write, or it cannot be written now */
    TURNS_AWAITED, /* will have something soon, of itself */
    TURNS_READY
};

struct turns_place {
    uint64_t last; /* number of its last write; 0: none yet */
    enum turns_state state;
};

struct turns {
    struct turns_place *v; /* one for each segment that is open; the owner's */
    uint32_t n;
    uint64_t writes;
};

/* The place that writes next; n: none now. */
uint32_t turns_next(const struct turns *r);

void turns_wrote(struct turns *r, uint32_t place);

#endif
