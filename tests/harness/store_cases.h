/* SPDX-License-Identifier: MIT */
/* What every store must do, as tests that are run on one after the other. */
#ifndef HARNESS_STORE_CASES_H
#define HARNESS_STORE_CASES_H

#include "sinks/store/store.h"

/* How a kind of store is made for a test. */
struct store_subject {
    const char *name;
    /* Makes an empty place; returns what the others are given. */
    void *(*make)(void);
    /* Opens a store there, as another process would after the last one has been closed. */
    enum rc (*open)(void *place, struct store **out, struct err *err);
    void (*unmake)(void *place);
};

/* Runs all cases on it; the number of those that failed. */
int store_cases(const struct store_subject *subject);

#endif
