/* SPDX-License-Identifier: MIT */
/* Faulty models and what is told of them, both written with ' for ". */
#ifndef HARNESS_FAULTY_H
#define HARNESS_FAULTY_H

#include <stddef.h>

struct faulty {
    const char *text, *told;
};

/* Reads each text between `before` and `after`; fails the test unless it is told so. */
void faulty_each(const char *before, const struct faulty *cases, size_t n, const char *after);

#define COUNT(cases) (sizeof(cases) / sizeof((cases)[0]))

#endif
