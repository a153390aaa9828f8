/* SPDX-License-Identifier: MIT */
/*
 * The pace of all writers of a run together while the service throttles the table itself: one
 * brake (see brake.h) for all of them, begun at four fifths of what the table was seen to take.
 */
#ifndef DYNAMODB_CROWD_H
#define DYNAMODB_CROWD_H

#include <pthread.h>
#include <stdatomic.h>

#include "sinks/dynamodb/brake.h"

struct crowd {
    atomic_bool slowed; /* a brake is there: else nobody needs the lock */
    pthread_mutex_t mu;
    struct brakes brakes; /* lock: mu. One range, number 0 */
    int64_t since_us;     /* lock: mu */
    uint64_t done;        /* lock: mu. Writes that succeeded since */
    double rate;          /* lock: mu. The same a second, before that; 0: not known */
};

void crowd_init(struct crowd *c);
void crowd_release(struct crowd *c);

/* thread: any, as all below. May a write be prepared, and if not, when? See brakes_open. */
bool crowd_open(struct crowd *c, int64_t now_us);
int64_t crowd_due(struct crowd *c, int64_t now_us);

/* See brakes_turn. */
int64_t crowd_turn(struct crowd *c, uint64_t *ticket, int64_t now_us);

/* True: there is a pace now, and crowd_turn says when to try again. */
bool crowd_throttled(struct crowd *c, uint64_t key, int64_t now_us);
void crowd_succeeded(struct crowd *c, int64_t now_us);

#endif
