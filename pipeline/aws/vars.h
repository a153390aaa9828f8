/* SPDX-License-Identifier: MIT */
/*
 * Environment variables as a value, so that a test hands in its own. The real ones are read
 * without getenv: nothing here changes them, and no other thread may either.
 */
#ifndef AWS_VARS_H
#define AWS_VARS_H

#include <stdbool.h>

struct vars {
    const char *(*get)(void *ctx, const char *name); /* borrowed; NULL when unset */
    void *ctx;
};

/* thread: any. The environment of the process. */
extern const struct vars vars_real;

/* The value, or NULL when it is unset or empty. */
const char *vars_get(const struct vars *v, const char *name);

/* True if set to "true" in any case, or to "1". */
bool vars_flag(const struct vars *v, const char *name);

#endif
