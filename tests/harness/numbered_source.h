/* SPDX-License-Identifier: MIT */
/* A source whose pages hold nothing but their numbers: for tests of what is done with pages. */
#ifndef HARNESS_NUMBERED_SOURCE_H
#define HARNESS_NUMBERED_SOURCE_H

#include <stdatomic.h>

#include "pipeline/source/source.h"

enum { NUMBERED_SEGMENTS = 12, NUMBERED_PAGES = 5, NUMBERED_LANES = 3 };

/* Zeroes, but for what is asked for. A resume key is as long as the pages it passes over. */
struct numbered_source {
    struct source base;
    unsigned fail_tick; /* the one that fails; 0: none */
    /* what happened */
    atomic_uint next, readers, wakes, ticks;
};

void numbered_source_init(struct numbered_source *s);

#endif
