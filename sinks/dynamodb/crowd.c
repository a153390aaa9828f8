/* SPDX-License-Identifier: MIT */
/* What the table takes is measured by the second, also before anything was throttled. */
#include "sinks/dynamodb/crowd.h"

static const int64_t SECOND = 1000000, SHORTEST = 100000;
static const double LESS = 0.8, NO_LIMIT = 1e6;

void crowd_init(struct crowd *c)
{
    *c = (struct crowd){.brakes.most = NO_LIMIT};
    (void)pthread_mutex_init(&c->mu, NULL);
}

void crowd_release(struct crowd *c)
{
    (void)pthread_mutex_destroy(&c->mu);
}

bool crowd_open(struct crowd *c, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return true;
    (void)pthread_mutex_lock(&c->mu);
    bool open = brakes_open(&c->brakes, 0, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return open;
}

int64_t crowd_due(struct crowd *c, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return INT64_MAX;
    (void)pthread_mutex_lock(&c->mu);
    int64_t due = brakes_due(&c->brakes, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return due;
}

int64_t crowd_turn(struct crowd *c, uint64_t *ticket, int64_t now_us)
{
    if (!atomic_load(&c->slowed))
        return now_us;
    (void)pthread_mutex_lock(&c->mu);
    int64_t at = brakes_turn(&c->brakes, 0, ticket, now_us);
    (void)pthread_mutex_unlock(&c->mu);
    return at;
}

bool crowd_throttled(struct crowd *c, uint64_t key, int64_t now_us)
{
    (void)pthread_mutex_lock(&c->mu);
    int64_t passed = c->since_us ? now_us - c->since_us : 0;
    double seen = passed >= SHORTEST ? (double)c->done * 1e6 / (double)passed : 0;
    c->brakes.first = (c->rate > seen ? c->rate : seen) * LESS;
    bool paced = brakes_throttled(&c->brakes, 0, key, now_us);
    atomic_store(&c->slowed, true);
    (void)pthread_mutex_unlock(&c->mu);
    return paced;
}

void crowd_succeeded(struct crowd *c, int64_t now_us)
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
    brakes_succeeded(&c->brakes, 0, now_us);
    atomic_store(&c->slowed, c->brakes.n > 0);
    (void)pthread_mutex_unlock(&c->mu);
}
