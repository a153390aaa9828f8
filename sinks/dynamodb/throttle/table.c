/* SPDX-License-Identifier: MIT */
/* What the table takes is measured by the second, also before anything was throttled. */
#include "sinks/dynamodb/throttle/table.h"

static const int64_t SECOND = 1000000, SHORTEST = 100000;
static const double LESS = 0.8, NO_LIMIT = 1e6;

void throttle_table_init(struct throttle_table *c)
{
    *c = (struct throttle_table){.ranges.most = NO_LIMIT};
    (void)pthread_mutex_init(&c->mu, NULL);
}

void throttle_table_release(struct throttle_table *c)
{
    (void)pthread_mutex_destroy(&c->mu);
}

bool throttle_table_open(struct throttle_table *c, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return true;
    (void)pthread_mutex_lock(&c->mu);
    bool open = throttle_range_open(&c->ranges, 0, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return open;
}

int64_t throttle_table_due(struct throttle_table *c, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return INT64_MAX;
    (void)pthread_mutex_lock(&c->mu);
    int64_t due = throttle_range_due(&c->ranges, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return due;
}

int64_t throttle_table_turn(struct throttle_table *c, uint64_t *ticket, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return now_us;
    (void)pthread_mutex_lock(&c->mu);
    int64_t at = throttle_range_turn(&c->ranges, 0, ticket, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return at;
}

bool throttle_table_throttled(struct throttle_table *c, uint64_t key, int64_t now_us)
{
    (void)pthread_mutex_lock(&c->mu);
    int64_t passed = c->since_us ? now_us - c->since_us : 0;
    double seen = passed >= SHORTEST ? (double)c->done * 1e6 / (double)passed : 0;
    c->ranges.first = (c->rate > seen ? c->rate : seen) * LESS;
    bool paced = throttle_range_throttled(&c->ranges, 0, key, now_us);
    atomic_store(&c->slowed, true);
    (void)pthread_mutex_unlock(&c->mu);
    return paced;
}

void throttle_table_succeeded(struct throttle_table *c, int64_t now_us)
{
    (void)pthread_mutex_lock(&c->mu);
    if (c->since_us == 0)
        c->since_us = now_us;
    c->done++;
    if (now_us - c->since_us >= SECOND) {
        c->rate = (double)c->done * 1e6 / (double)(now_us - c->since_us);
        c->since_us = now_us;
        c->done = 0;
    }
    throttle_range_succeeded(&c->ranges, 0, now_us);
    atomic_store(&c->slowed, c->ranges.n > 0);
    (void)pthread_mutex_unlock(&c->mu);
}
