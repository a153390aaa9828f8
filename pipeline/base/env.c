/* SPDX-License-Identifier: MIT */
/* The real clocks and random source. */
#define _GNU_SOURCE
#include "pipeline/base/env.h"

#include <sys/random.h>
#include <time.h>

static int64_t clock_us(clockid_t id)
{
    struct timespec ts;
    (void)clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static int64_t now_us(void *ctx)
{
    (void)ctx;
    return clock_us(CLOCK_REALTIME);
}

static int64_t mono_us(void *ctx)
{
    (void)ctx;
    return clock_us(CLOCK_MONOTONIC);
}

static void sleep_us(void *ctx, int64_t us)
{
    (void)ctx;
    struct timespec ts = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    (void)nanosleep(&ts, NULL);
}

static uint64_t random_bits(void *ctx)
{
    (void)ctx;
    uint64_t v = 0;
    if (getrandom(&v, sizeof v, 0) != (ssize_t)sizeof v)
        v = (uint64_t)clock_us(CLOCK_MONOTONIC) * 0x9E3779B97F4A7C15u;
    return v;
}

const struct env env_real = {now_us, mono_us, sleep_us, random_bits, 0};
