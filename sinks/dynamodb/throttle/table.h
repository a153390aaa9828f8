/* SPDX-License-Identifier: MIT */
/*
 * The pace of all writers of a run together while the service throttles the table itself: one
 * range (see range.h) for all of them, begun at four fifths of what the table was seen to take.
 */
#ifndef SINKS_DYNAMODB_THROTTLE_TABLE_H
#define SINKS_DYNAMODB_THROTTLE_TABLE_H

#include <pthread.h>
#include <stdatomic.h>

#include "sinks/dynamodb/throttle/range.h"

struct throttle_table {
    atomic_bool slowed; /* there is a pace: else nobody needs the lock */
    pthread_mutex_t mu;
    struct throttle_ranges ranges; /* lock: mu. One range, number 0 */
    int64_t since_us;              /* lock: mu */
    uint64_t done;                 /* lock: mu. Writes that succeeded since */
    double rate;                   /* lock: mu. The same a second, before that; 0: not known */
};

void throttle_table_init(struct throttle_table *c);
void throttle_table_release(struct throttle_table *c);

/* thread: any, as all below. May a write be prepared, and if not, when? See throttle_range_open. */
bool throttle_table_open(struct throttle_table *c, int64_t now_us);
int64_t throttle_table_due(struct throttle_table *c, int64_t now_us);

/* See throttle_range_turn. */
int64_t throttle_table_turn(struct throttle_table *c, uint64_t *ticket, int64_t now_us);

/* True: there is a pace now, and throttle_table_turn says when to try again. */
bool throttle_table_throttled(struct throttle_table *c, uint64_t key, int64_t now_us);
void throttle_table_succeeded(struct throttle_table *c, int64_t now_us);

#endif
