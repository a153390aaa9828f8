/* SPDX-License-Identifier: MIT */
/*
 * How fast a run goes, and how far it is. Rates are smoothed over a few samples. The share done is
 * by bytes of input where they are known, else by segments.
 */
#ifndef RUN_PACE_H
#define RUN_PACE_H

#include "pipeline/run/run.h"

struct pace {
    uint64_t bytes_total; /* of the source; 0: not known */
    uint32_t segments;    /* in all; 0: not known */
    int64_t start_us, last_us;
    uint64_t last_items, last_bytes;
    double last_units;
    double items_rate, bytes_rate, units_rate; /* a second, smoothed */
};

/* What all workers did. */
struct pace_sums {
    uint64_t items, bytes, passed, rejected, unrouted, segments;
    uint64_t began; /* segments that were done before this process */
    struct source_usage usage;
};

/* thread: any. The usage stays zero: it is the source's to say. */
struct pace_sums pace_sum(const struct run_progress *workers, uint32_t n);

/* Takes a sample: the sums of this process, as of `now_us`. */
void pace_update(struct pace *p, const struct pace_sums *s, int64_t now_us);

/*
 * Adds what earlier processes had done, which is part of the whole, but not of the rates. A live
 * table (`live`) does not tell how many bytes that was: as many an item as since then.
 */
void pace_add_resumed(struct pace_sums *s, const struct run_state *state, bool live);

/* Returns the share that is done, 0 to 1; negative where nothing is known. */
double pace_done(const struct pace *p, const struct pace_sums *s);

/* Returns the seconds left; negative where nothing is known. */
double pace_left(const struct pace *p, const struct pace_sums *s);

#endif
