/* SPDX-License-Identifier: MIT */
/*
 * Partitions that the service throttles, by the hash of the partition key: each lets one write
 * through every so often, more seldom after every throttle, more often after every success, and
 * is forgotten once it keeps up. A fixed number is known at a time; the mildest gives way.
 */
#ifndef SINKS_DYNAMODB_THROTTLE_KEY_H
#define SINKS_DYNAMODB_THROTTLE_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum { HOLD_MAX = 64 };

struct throttle_key {
    uint64_t partition;
    int64_t delay_us; /* 0: free entry */
    int64_t next_us;  /* not before */
    int64_t grown_us; /* when the delay was doubled last */
    bool busy;        /* one of its jobs was taken and has no end yet */
};

struct throttle_keys {
    struct throttle_key v[HOLD_MAX];
    uint32_t n;
};

/* May a job of this partition be taken now? One at a time while it is held. */
bool throttle_key_take(struct throttle_keys *h, uint64_t partition, int64_t now_us);
void throttle_key_end(struct throttle_keys *h, uint64_t partition);

/* When a held partition can be asked again at the earliest; INT64_MAX: none waits for its time. */
int64_t throttle_key_due(const struct throttle_keys *h, int64_t now_us);

/* May a write of this partition be sent now? Else not before *at_us. */
bool throttle_key_allow(struct throttle_keys *h, uint64_t partition, int64_t now_us,
                        int64_t *at_us);

void throttle_key_throttled(struct throttle_keys *h, uint64_t partition, int64_t now_us);
void throttle_key_succeeded(struct throttle_keys *h, uint64_t partition);

#endif
