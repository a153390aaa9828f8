/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it is to write. A scan goes through a table partition by partition; writes that follow
 * it closely would all meet in one. So each write is of the segment that wrote longest ago, and
 * none writes again before ROTA_APART others have: any so many in a row are of different segments.
 * For that, segments that are about to have work are waited for; those that have none, or cannot
 * write now, are not.
 */
#ifndef DYNAMODB_ROTA_H
#define DYNAMODB_ROTA_H

#include <stdint.h>

enum { ROTA_APART = 16 };

enum rota_state {
    ROTA_IDLE,    /* nothing to write, or it cannot be written now */
    ROTA_AWAITED, /* will have something soon, of itself */
    ROTA_READY
};

struct rota_place {
    uint64_t last; /* number of its last write; 0: none yet */
    enum rota_state state;
};

struct rota {
    struct rota_place *v; /* one for each segment that is open; the owner's */
    uint32_t n;
    uint64_t writes;
};

/* The place that writes next; n: none now. */
uint32_t rota_next(const struct rota *r);

void rota_wrote(struct rota *r, uint32_t place);

#endif
