/* SPDX-License-Identifier: MIT */
/*
 * Rates are smoothed over a few samples; the share done is by bytes of input where they are
 * known, else by segments. The clock is handed in, so the output can be tested.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/progress.h"

enum { BAR = 24 };

struct sums {
    uint64_t items, bytes, passed, rejected, unrouted, segments;
    uint64_t began; /* segments that were done before this process */
    struct source_usage usage;
};

void progress_init(struct progress *p, FILE *out, const struct env *env)
{
    *p = (struct progress){.out = out, .env = env, .terminal = isatty(fileno(out)) == 1};
    p->start_us = p->last_us = env->mono_us(env->ctx);
}

static struct sums sum(const struct run_progress *w, uint32_t n)
{
    struct sums s = {0};
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

static void update_rates(struct progress *p, const struct sums *s, int64_t now)
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

/* What earlier processes had done is part of it, but not of the rates. A live table does not
   tell how many bytes that was: as many an item as since then. */
static void add_resumed(struct sums *s, const struct progress *p, const struct run_state *state)
{
    if (!state || !state->resumed)
        return;
    if (p->metered && s->items) {
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

/* 0..1, or negative where nothing is known. */
static double share(const struct progress *p, const struct sums *s)
{
    double done = -1;
    if (p->bytes_total) {
        done = (double)(s->bytes + s->passed) / (double)p->bytes_total;
    } else if (p->segments) {
        done = (double)s->segments / (double)p->segments;
    }
    return done > 1 ? 1 : done;
}

/* What only a live table has to say; `sep` stands before each part. */
static void tell_usage(const struct progress *p, const struct sums *s, const char *sep)
{
    if (!p->metered)
        return;
    (void)fprintf(p->out,
                  "%s%.0f of %.0f RCU/s%s%" PRIu64 " throttles%s%" PRIu64 " retries%s%" PRIu64
                  " of %u segments",
                  sep, p->units_rate, s->usage.allowed, sep, s->usage.throttles, sep,
                  s->usage.retries, sep, s->segments, p->segments);
}

static void tell_rest(const struct progress *p, const struct sums *s, double done,
                      const char *sep)
{
    double left = -1;
    if (p->bytes_total && p->bytes_rate > 0 && done < 1) {
        left = (double)(p->bytes_total - s->bytes - s->passed) / p->bytes_rate;
    } else if (!p->bytes_total && s->segments > s->began && p->segments > s->segments) {
        double each = (double)(p->last_us - p->start_us) / (double)(s->segments - s->began);
        left = each * (double)(p->segments - s->segments) / 1e6;
    }
    if (left >= 0)
        (void)fprintf(p->out, "%s%.0f s left", sep, left);
}

void progress_bar(FILE *out, double done)
{
    char bar[BAR + 1];
    int full = done < 0 ? 0 : (int)(done * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '=' : i == full ? '>' : ' ';
    bar[BAR] = '\0';
    (void)fprintf(out, "\r[%s] ", bar);
    if (done >= 0)
        (void)fprintf(out, "%3d%%  ", (int)(done * 100));
}

static void draw(struct progress *p, const struct sums *s, double done)
{
    progress_bar(p->out, done);
    (void)fprintf(p->out, "%" PRIu64 " items  %.0f items/s  %.1f MB/s", s->items, p->items_rate,
                  p->bytes_rate / 1e6);
    tell_usage(p, s, "  ");
    tell_rest(p, s, done, "  ");
    if (s->rejected + s->unrouted) {
        (void)fprintf(p->out, "  %" PRIu64 " rejected, %" PRIu64 " unrouted", s->rejected,
                      s->unrouted);
    }
    (void)fprintf(p->out, "\033[K");
    (void)fflush(p->out);
    p->drawn = true;
}

static void line_json(const struct progress *p, const struct sums *s, double seconds,
                      double done)
{
    (void)fprintf(p->out,
                  "{\"event\":\"progress\",\"seconds\":%.1f,\"items\":%" PRIu64
                  ",\"items_per_second\":%.0f,"
                  "\"bytes\":%" PRIu64 ",\"rejected\":%" PRIu64 ",\"unrouted\":%" PRIu64
                  ",\"segments\":%" PRIu64 ",\"done\":%.4f",
                  seconds, s->items, p->items_rate, s->bytes, s->rejected, s->unrouted,
                  s->segments, done < 0 ? 0 : done);
    if (p->metered) {
        (void)fprintf(p->out,
                      ",\"rcu\":%.1f,\"rcu_per_second\":%.1f,\"rcu_allowed\":%.1f,"
                      "\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64,
                      s->usage.units, p->units_rate, s->usage.allowed, s->usage.throttles,
                      s->usage.retries);
    }
    (void)fputs("}\n", p->out);
}

static void line(const struct progress *p, const struct sums *s, double done)
{
    double seconds = (double)(p->last_us - p->start_us) / 1e6;
    if (p->json) {
        line_json(p, s, seconds, done);
    } else {
        (void)fprintf(p->out,
                      "renorm: %.0f s: %" PRIu64 " items, %.0f items/s, %.1f MB/s, %" PRIu64
                      " rejected, %" PRIu64 " unrouted",
                      seconds, s->items, p->items_rate, p->bytes_rate / 1e6, s->rejected,
                      s->unrouted);
        tell_usage(p, s, ", ");
        if (done >= 0)
            (void)fprintf(p->out, ", %d%%", (int)(done * 100));
        tell_rest(p, s, done, ", ");
        (void)fputc('\n', p->out);
    }
    (void)fflush(p->out);
}

void progress_tick(void *ctx, const struct run_progress *workers, uint32_t n,
                   const struct run_state *state)
{
    struct progress *p = ctx;
    p->begun = true;
    int64_t now = p->env->mono_us(p->env->ctx);
    int64_t due = p->last_us + (p->terminal ? PROGRESS_DRAW_US : PROGRESS_LINE_US);
    if (p->quiet || now < due)
        return;
    struct sums s = sum(workers, n);
    if (p->metered) {
        p->metered->ops->usage(p->metered, &s.usage);
        p->segments = p->metered->segments; /* a resumed run's may be others than were chosen */
    }
    update_rates(p, &s, now);
    add_resumed(&s, p, state);
    if (p->terminal && !p->json) {
        draw(p, &s, share(p, &s));
    } else {
        line(p, &s, share(p, &s));
    }
}

void progress_doing(void *ctx, const char *what)
{
    struct progress *p = ctx;
    if (p->quiet)
        return;
    if (p->json) {
        (void)fprintf(p->out, "{\"event\":\"phase\",\"phase\":\"%s\"}\n", what);
    } else if (p->terminal) {
        (void)fprintf(p->out, "\r%s\033[K", what);
        p->drawn = true;
    } else if (!p->begun || p->env->mono_us(p->env->ctx) >= p->last_us + PROGRESS_LINE_US) {
        (void)fprintf(p->out, "renorm: %s\n", what);
    }
    (void)fflush(p->out);
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        (void)fprintf(p->out, "\r\033[K");
    (void)fflush(p->out);
}
