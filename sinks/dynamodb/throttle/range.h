/* SPDX-License-Identifier: MIT */
/*
 * Ranges of keys that the service throttles although no single key of them is hot: a physical
 * partition serves all keys whose hash lies in it, and so does a segment of the scan. The first
 * throttle of a range is put down to its key (see key.h); when another key follows, the range
 * gets a rate of its own, which falls with every throttle, rises while writes succeed, and is
 * forgotten once it is no limit any more.
 */
#ifndef SINKS_DYNAMODB_THROTTLE_RANGE_H
#define SINKS_DYNAMODB_THROTTLE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

enum { BRAKE_MAX = 64 };

struct throttle_range {
    uint32_t range;
    uint64_t key;  /* the one that was throttled last */
    double rate;   /* writes a second; 0: not slowed (yet) */
    int64_t at_us; /* when the rate changed */
    int64_t since_us;
    uint32_t done;    /* writes that succeeded since */
    uint64_t tickets; /* the last one given */
    double allowed;   /* tickets up to here are good, as of told_us */
    int64_t told_us;
};

struct throttle_ranges {
    struct throttle_range v[BRAKE_MAX];
    uint32_t n;
    uint64_t last;      /* ticket of all */
    double first, most; /* rates to begin with and to be forgotten at; 0: as for a range */
};

/* May a write of this range be prepared, to be sent now or soon? */
bool throttle_range_open(const struct throttle_ranges *b, uint32_t range, int64_t now_us);

/* When the first range that is not open will be; INT64_MAX: all are. */
int64_t throttle_range_due(const struct throttle_ranges *b, int64_t now_us);

/* When may a write of this range be sent? *ticket is 0 at first, and kept by the write until it is
 * sent. A time that is not over yet: ask again then. */
int64_t throttle_range_turn(struct throttle_ranges *b, uint32_t range, uint64_t *ticket,
                            int64_t now_us);

/* True: the range has a rate now, and throttle_range_turn says when to try again. */
bool throttle_range_throttled(struct throttle_ranges *b, uint32_t range, uint64_t key,
                              int64_t now_us);
void throttle_range_succeeded(struct throttle_ranges *b, uint32_t range, int64_t now_us);

#endif
