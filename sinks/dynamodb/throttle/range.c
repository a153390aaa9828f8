/* SPDX-License-Identifier: MIT */
/*
 * After a throttle a range gets four fifths of what it was seen to take, and then more from step to
 * step: near its limit it is throttled about once a second, whatever that limit is. Throttles that
 * come close together are one: they were under way when the first was answered.
 */
#include "sinks/dynamodb/throttle/range.h"

#include <stddef.h>

static const double RATE_FIRST = 100, RATE_LEAST = 1, RATE_FREE = 10000;
static const double LESS = 0.8, MORE = 1.03;
static const int64_t STEP_US = 100000, CUT_US = 200000, WINDOW_US = 1000000;
static const int64_t LEAD_US = 50000, LOOK_US = 250000, STALE_US = 10000000;
enum { STEPS_MAX = 20 };

static struct throttle_range *find(struct throttle_ranges *b, uint32_t range)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->v[i].range == range)
            return &b->v[i];
    }
    return NULL;
}

/* Tickets that may be used by now; those that nobody holds do not gather. */
static double allowed(const struct throttle_range *one, int64_t now_us)
{
    double n = one->allowed + one->rate * (double)(now_us - one->told_us) / 1e6;
    double most = (double)one->tickets + 1;
    return n < most ? n : most;
}

/* When so many are. The rate may change meanwhile, so it is asked again soon. */
static int64_t when(const struct throttle_range *one, double n, int64_t now_us)
{
    double left = (n - allowed(one, now_us)) / one->rate * 1e6;
    return now_us + (left < (double)LOOK_US ? (int64_t)left + 1 : LOOK_US);
}

static bool is_open(const struct throttle_range *one, int64_t now_us)
{
    double lead = 1 + one->rate * (double)LEAD_US / 1e6;
    return one->rate <= 0 || (double)one->tickets < allowed(one, now_us) + lead;
}

bool throttle_range_open(const struct throttle_ranges *b, uint32_t range, int64_t now_us)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->v[i].range == range)
            return is_open(&b->v[i], now_us);
    }
    return true;
}

int64_t throttle_range_due(const struct throttle_ranges *b, int64_t now_us)
{
    int64_t due = INT64_MAX;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct throttle_range *one = &b->v[i];
        if (is_open(one, now_us))
            continue;
        double lead = one->rate * (double)LEAD_US / 1e6;
        int64_t at = when(one, (double)one->tickets - lead, now_us);
        due = at < due ? at : due;
    }
    return due;
}

/* A new rate from now on. */
static void set_rate(struct throttle_range *one, double rate, int64_t now_us)
{
    one->allowed = allowed(one, now_us);
    one->told_us = now_us;
    one->rate = rate;
}

int64_t throttle_range_turn(struct throttle_ranges *b, uint32_t range, uint64_t *ticket,
                            int64_t now_us)
{
    struct throttle_range *one = b->n ? find(b, range) : NULL;
    if (!one || one->rate <= 0)
        return now_us;
    if (!*ticket) {
        set_rate(one, one->rate, now_us);
        *ticket = ++one->tickets;
    }
    b->last = one->tickets > b->last ? one->tickets : b->last;
    double n = (double)*ticket;
    return n <= allowed(one, now_us) ? now_us : when(one, n, now_us);
}

/* In a full table the one that was throttled longest ago gives way. */
static struct throttle_range *add(struct throttle_ranges *b, uint32_t range)
{
    struct throttle_range *place = &b->v[0];
    if (b->n < BRAKE_MAX) {
        place = &b->v[b->n++];
    } else {
        for (uint32_t i = 1; i < b->n; i++)
            place = b->v[i].at_us < place->at_us ? &b->v[i] : place;
    }
    *place = (struct throttle_range){.range = range};
    return place;
}

static void begin(struct throttle_range *one, int64_t now_us)
{
    one->since_us = one->at_us = now_us;
    one->done = 0;
}

static void cut(struct throttle_range *one, int64_t now_us)
{
    double seen = (double)one->done * 1e6 / (double)(now_us - one->since_us);
    double rate = (seen < one->rate ? seen : one->rate) * LESS;
    set_rate(one, rate > RATE_LEAST ? rate : RATE_LEAST, now_us);
    begin(one, now_us);
}

bool throttle_range_throttled(struct throttle_ranges *b, uint32_t range, uint64_t key,
                              int64_t now_us)
{
    struct throttle_range *one = find(b, range);
    bool fresh = !one || (one->rate <= 0 && now_us - one->at_us > STALE_US);
    if (!one)
        one = add(b, range);
    if (fresh) {
        *one = (struct throttle_range){.range = range};
        begin(one, now_us);
    } else if (one->key != key && one->rate <= 0) {
        one->tickets = b->last; /* older ones are good */
        one->allowed = (double)b->last;
        one->told_us = now_us;
        one->rate = b->first > 0 ? b->first : RATE_FIRST;
        begin(one, now_us);
    } else if (one->key != key && now_us - one->since_us >= CUT_US) {
        cut(one, now_us);
    }
    one->key = key;
    return one->rate > 0;
}

static void rise(struct throttle_range *one, int64_t now_us)
{
    int64_t steps = (now_us - one->at_us) / STEP_US;
    double rate = one->rate;
    for (int64_t i = 0; i < steps && i < STEPS_MAX; i++)
        rate *= MORE;
    if (steps) {
        set_rate(one, rate, now_us);
        one->at_us = now_us;
    }
    if (now_us - one->since_us >= WINDOW_US) { /* what was long ago tells nothing */
        one->since_us += (now_us - one->since_us) / 2;
        one->done /= 2;
    }
}

void throttle_range_succeeded(struct throttle_ranges *b, uint32_t range, int64_t now_us)
{
    struct throttle_range *one = b->n ? find(b, range) : NULL;
    if (!one)
        return;
    one->done++;
    if (one->rate > 0)
        rise(one, now_us);
    bool over = one->rate > (b->most > 0 ? b->most : RATE_FREE) ||
                (one->rate <= 0 && now_us - one->at_us > STALE_US);
    if (over)
        *one = b->v[--b->n];
}
