/* SPDX-License-Identifier: MIT */
/* The first sample is taken as it is; each later one moves the rates by three tenths. */
#include "pipeline/run/pace.h"

struct pace_sums pace_sum(const struct run_progress *w, uint32_t n)
{
    struct pace_sums s = {0};
    for (uint32_t i = 0; i < n; i++) {
        s.items += atomic_load(&w[i].items);
        s.bytes += atomic_load(&w[i].bytes_in);
        s.passed += atomic_load(&w[i].bytes_passed);
        s.rejected += atomic_load(&w[i].rejected);
        s.unrouted += atomic_load(&w[i].unrouted);
        s.segments += atomic_load(&w[i].segments);
    }
    return s;
}

void pace_update(struct pace *p, const struct pace_sums *s, int64_t now)
{
    double seconds = (double)(now - p->last_us) / 1e6;
    double items = (double)(s->items - p->last_items) / seconds;
    double bytes = (double)(s->bytes - p->last_bytes) / seconds;
    double keep = p->last_items ? 0.7 : 0.0;
    p->items_rate = keep * p->items_rate + (1 - keep) * items;
    p->bytes_rate = keep * p->bytes_rate + (1 - keep) * bytes;
    p->units_rate =
        keep * p->units_rate + (1 - keep) * (s->usage.units - p->last_units) / seconds;
    p->last_units = s->usage.units;
    p->last_items = s->items;
    p->last_bytes = s->bytes;
    p->last_us = now;
}

void pace_add_resumed(struct pace_sums *s, const struct run_state *state, bool live)
{
    if (live && s->items) {
        double each = (double)s->bytes / (double)s->items;
        s->passed += (uint64_t)(each * (double)state->resumed_items);
    }
    s->began = state->resumed_segments;
    s->items += state->resumed_items;
    s->segments += state->resumed_segments;
    if (state->counters) {
        s->rejected += state->counters[CNT_REJECTED];
        s->unrouted += state->counters[CNT_UNROUTED];
    }
}

double pace_done(const struct pace *p, const struct pace_sums *s)
{
    double done = -1;
    if (p->bytes_total) {
        done = (double)(s->bytes + s->passed) / (double)p->bytes_total;
    } else if (p->segments) {
        done = (double)s->segments / (double)p->segments;
    }
    return done > 1 ? 1 : done;
}

double pace_left(const struct pace *p, const struct pace_sums *s)
{
    if (p->bytes_total && p->bytes_rate > 0 && pace_done(p, s) < 1)
        return (double)(p->bytes_total - s->bytes - s->passed) / p->bytes_rate;
    if (!p->bytes_total && s->segments > s->began && p->segments > s->segments) {
        double each = (double)(p->last_us - p->start_us) / (double)(s->segments - s->began);
        return each * (double)(p->segments - s->segments) / 1e6;
    }
    return -1;
}
