/* SPDX-License-Identifier: MIT */
/*
 * The outside world as values: clocks, sleep, randomness. Retry, budget, credentials and
 * progress take it as a parameter, so that a test hands in its own.
 */
#ifndef BASE_ENV_H
#define BASE_ENV_H

#include <stdint.h>

struct env {
    int64_t (*now_us)(void *ctx);         /* microseconds since 1970, UTC */
    int64_t (*mono_us)(void *ctx);        /* microseconds that never go back */
    void (*sleep_us)(void *ctx, int64_t); /* blocks the caller */
    uint64_t (*rand)(void *ctx);          /* 64 random bits */
    void *ctx;
};

/* thread: any. The real machine. */
extern const struct env env_real;

#endif
