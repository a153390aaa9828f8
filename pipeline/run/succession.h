/* SPDX-License-Identifier: MIT */
/*
 * The sink holds a run that was cut short or is held, and no process works on it: does the run that
 * is asked for now go on with it, take its place, or may it do neither? Tonight's export must not
 * fail because of last night's; yet what took hours to read is not dropped by a slip of the hand.
 */
#ifndef RUN_SUCCESSION_H
#define RUN_SUCCESSION_H

#include "pipeline/run/sink.h"

/* The run that is there. */
struct predecessor {
    bool same;         /* of the same identity */
    bool held;         /* finished, and not shown; else cut short */
    bool resumable;    /* its source could be read again */
    int64_t began_us;  /* its "now" */
    int64_t source_us; /* how new its source is; 0: not known */
    struct str judged; /* held: by these options */
};

enum succession {
    SUCCESSION_RESUME, /* go on with it, or judge it anew */
    SUCCESSION_ANEW,   /* it gives way to a new run */
    SUCCESSION_REFUSE  /* it stays, and the new run may not begin */
};

/* *why: of SUCCESSION_ANEW, a clause for people, static. */
enum succession succession(const struct run_info *info, const struct predecessor *was,
                           const char **why);

#endif
