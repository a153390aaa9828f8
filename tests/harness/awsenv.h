/* SPDX-License-Identifier: MIT */
/*
 * A world for tests of the AWS parts: variables from a table, a home folder of its own, a
 * clock that stands until it is moved, and sleeping that only moves it.
 */
#ifndef HARNESS_AWSENV_H
#define HARNESS_AWSENV_H

#include "pipeline/aws/settings.h"

enum { AWSENV_VARS = 32 };

struct awsenv {
    struct env env;
    struct vars vars;
    char names[AWSENV_VARS][64];
    char values[AWSENV_VARS][512];
    char home[64]; /* removed by awsenv_close */
    _Atomic int64_t now_us;
    _Atomic int64_t slept_us;
};

/* HOME is set, instance metadata is off, the time is 2026-01-02T03:04:05Z. */
void awsenv_open(struct awsenv *e);
void awsenv_close(struct awsenv *e);

/* Sets, or unsets with NULL. */
void awsenv_set(struct awsenv *e, const char *name, const char *value);

/* Writes a file below the home folder, folders included. */
void awsenv_write(struct awsenv *e, const char *path, const char *text);

/* The settings of this world; fails the test on error. Release them. */
void awsenv_settings(struct awsenv *e, const struct aws_options *options,
                     struct aws_settings *out);

#endif
