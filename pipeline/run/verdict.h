/* SPDX-License-Identifier: MIT */
/*
 * May a finished run be shown to readers? Whoever finds a reason against it calls verdict_hold,
 * between the sink's finish and its publish (see check_result in run.c): the run is held then. What
 * was there before stays, the reasons stand in the ledger and in the sheet, and the exit status is 1.
 */
#ifndef RUN_VERDICT_H
#define RUN_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/err.h"

enum { VERDICT_WHY = 800, VERDICT_BUT = 200 };

struct guards;

struct verdict {
    bool held;            /* there is a reason */
    bool above_allowance; /* more rejects or unrouted items than allowed: exit 1, held or not */
    uint64_t rejected, unrouted;
    char why[VERDICT_WHY];       /* the reasons, "; " between them */
    const struct guards *guards; /* what publishing itself has to heed; NULL: nothing */
    char but[VERDICT_BUT];       /* the options that would let it pass, for people */
};

/*
 * Holds the run. `but`: the option that says otherwise, in words, "a higher --max-rejects" or
 * "--allow empty"; each is told once, and values of one option are listed. May be NULL.
 * The reason is a clause for people, without a full stop: "the source is empty".
 */
void verdict_hold(struct verdict *v, const char *but, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
