/* SPDX-License-Identifier: MIT */
/* A source exported once more into a private folder, to be compared with what a sink holds. */
#ifndef CMD_FRESH_H
#define CMD_FRESH_H

#include "cmd/job.h"

struct fresh {
    const struct job *job;
    struct source *source; /* the job's, or another of the same items */
    uint32_t workers;
    const char *folder; /* where the rows go */
    const char *trail;  /* where it is noted which item a row came from; NULL: nowhere */
    bool places;        /* ... and at which place of the source that stood */
    bool fold;          /* the other side cannot tell NULL from missing */
    int64_t now_us;     /* TTL and every `now`; 0: the clock */
};

enum rc fresh_export(const struct fresh *f, struct err *err) MUST_CHECK;

#endif
