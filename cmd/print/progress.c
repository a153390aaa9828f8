/* SPDX-License-Identifier: MIT */
/* The clock is handed in, so that the output can be tested. */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/print/progress.h"
#include "cmd/print/tell.h"
#include "pipeline/base/json.h"

enum { BAR = 24 };

void progress_init(struct progress *p, FILE *out, const struct env *env)
{
    *p = (struct progress){.out = out, .env = env, .terminal = isatty(fileno(out)) == 1};
    p->pace.start_us = p->pace.last_us = env->mono_us(env->ctx);
}

/* Tells what a live table counts, with `sep` before each part. */
static void tell_usage(const struct progress *p, const struct pace_sums *s, const char *sep)
{
    if (!p->metered)
        return;
    (void)fprintf(p->out,
                  "%s%.0f of %.0f RCU/s%s%" PRIu64 " throttles%s%" PRIu64 " retries%s%" PRIu64
                  " of %u segments",
                  sep, p->pace.units_rate, s->usage.allowed, sep, s->usage.throttles, sep,
                  s->usage.retries, sep, s->segments, p->pace.segments);
}

static void tell_rest(const struct progress *p, const struct pace_sums *s, const char *sep)
{
    double left = pace_left(&p->pace, s);
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

static void draw(struct progress *p, const struct pace_sums *s, double done)
{
    progress_bar(p->out, done);
    (void)fprintf(p->out, "%" PRIu64 " items  %.0f items/s  %.1f MB/s", s->items,
                  p->pace.items_rate, p->pace.bytes_rate / 1e6);
    tell_usage(p, s, "  ");
    tell_rest(p, s, "  ");
    if (s->rejected + s->unrouted) {
        (void)fprintf(p->out, "  %" PRIu64 " rejected, %" PRIu64 " unrouted", s->rejected,
                      s->unrouted);
    }
    (void)fprintf(p->out, "\033[K");
    (void)fflush(p->out);
    p->drawn = true;
}

/* The beginning of an event, which the caller ends. */
static void event(const struct progress *p, const char *name)
{
    char stamp[TELL_STAMP_SIZE];
    tell_stamp(stamp, p->env->now_us(p->env->ctx));
    (void)fprintf(p->out, "{\"event\":\"%s\",\"time\":\"%s\"", name, stamp);
}

static void line_json(const struct progress *p, const struct pace_sums *s, double seconds,
                      double done)
{
    event(p, "progress");
    (void)fprintf(p->out,
                  ",\"seconds\":%.1f,\"items\":%" PRIu64 ",\"items_per_second\":%.0f,"
                  "\"bytes\":%" PRIu64 ",\"rejected\":%" PRIu64 ",\"unrouted\":%" PRIu64
                  ",\"segments\":%" PRIu64 ",\"done\":%.4f",
                  seconds, s->items, p->pace.items_rate, s->bytes, s->rejected, s->unrouted,
                  s->segments, done < 0 ? 0 : done);
    if (p->metered) {
        (void)fprintf(p->out,
                      ",\"rcu\":%.1f,\"rcu_per_second\":%.1f,\"rcu_allowed\":%.1f,"
                      "\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64,
                      s->usage.units, p->pace.units_rate, s->usage.allowed, s->usage.throttles,
                      s->usage.retries);
    }
    (void)fputs("}\n", p->out);
}

static void line(const struct progress *p, const struct pace_sums *s, double done)
{
    double seconds = (double)(p->pace.last_us - p->pace.start_us) / 1e6;
    if (p->json) {
        line_json(p, s, seconds, done);
    } else {
        (void)fprintf(p->out,
                      "renorm: %.0f s: %" PRIu64 " items, %.0f items/s, %.1f MB/s, %" PRIu64
                      " rejected, %" PRIu64 " unrouted",
                      seconds, s->items, p->pace.items_rate, p->pace.bytes_rate / 1e6,
                      s->rejected, s->unrouted);
        tell_usage(p, s, ", ");
        if (done >= 0)
            (void)fprintf(p->out, ", %d%%", (int)(done * 100));
        tell_rest(p, s, ", ");
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
    int64_t due = p->pace.last_us + (p->terminal ? PROGRESS_DRAW_US : PROGRESS_LINE_US);
    if (p->quiet || now < due)
        return;
    struct pace_sums s = pace_sum(workers, n);
    if (p->metered) {
        p->metered->ops->usage(p->metered, &s.usage);
        p->pace.segments =
            p->metered->segments; /* a resumed run may have others than were chosen */
    }
    pace_update(&p->pace, &s, now);
    if (state && state->resumed)
        pace_add_resumed(&s, state, p->metered != NULL);
    if (p->terminal && !p->json) {
        draw(p, &s, pace_done(&p->pace, &s));
    } else {
        line(p, &s, pace_done(&p->pace, &s));
    }
}

void progress_doing(void *ctx, const char *what)
{
    struct progress *p = ctx;
    if (p->quiet)
        return;
    if (p->json) {
        event(p, "phase");
        (void)fprintf(p->out, ",\"phase\":\"%s\"}\n", what);
    } else if (p->terminal) {
        (void)fprintf(p->out, "\r%s\033[K", what);
        p->drawn = true;
    } else if (!p->begun ||
               p->env->mono_us(p->env->ctx) >= p->pace.last_us + PROGRESS_LINE_US) {
        (void)fprintf(p->out, "renorm: %s\n", what);
    }
    (void)fflush(p->out);
}

static void finishing_json(struct progress *p, const struct sink_finishing *f)
{
    event(p, "phase");
    (void)fputs(",\"phase\":\"finishing\",\"step\":", p->out);
    struct buf name;
    buf_init(&name, 1 << 16);
    json_add_string(&name, str_of(f->step));
    (void)fprintf(p->out, "%s", buf_cstr(&name));
    buf_release(&name);
    if (f->step_share >= 0)
        (void)fprintf(p->out, ",\"step_done\":%.2f", f->step_share);
    (void)fprintf(p->out, ",\"steps\":%u,\"steps_done\":%u,\"done\":%.4f", f->steps,
                  f->steps_done, f->done);
    if (f->seconds_left >= 0)
        (void)fprintf(p->out, ",\"seconds_left\":%.0f", f->seconds_left);
    (void)fprintf(p->out, ",\"connections\":%u,\"memory_mb\":%u,\"parallel_workers\":%u}\n",
                  f->connections, f->memory_mb, f->parallel);
}

static void finishing_words(FILE *out, const struct sink_finishing *f)
{
    (void)fprintf(out, "finishing: %s", f->step);
    if (f->step_share >= 0)
        (void)fprintf(out, " %.0f%%", f->step_share * 100);
    if (f->others)
        (void)fprintf(out, " and %u more", f->others);
    (void)fprintf(out, ", %u of %u steps", f->steps_done, f->steps);
    if (f->seconds_left >= 0)
        (void)fprintf(out, ", %.0f s left", f->seconds_left);
}

void progress_finishing(void *ctx, const struct sink_finishing *how)
{
    const struct sink_finishing *f = how;
    struct progress *p = ctx;
    bool drawn = p->terminal && !p->json;
    int64_t now = p->env->mono_us(p->env->ctx);
    if (p->quiet || now < p->pace.last_us + (drawn ? PROGRESS_DRAW_US : PROGRESS_LINE_US))
        return;
    p->pace.last_us = now;
    if (p->json) {
        finishing_json(p, f);
    } else if (drawn) {
        progress_bar(p->out, f->done);
        finishing_words(p->out, f);
        (void)fprintf(p->out, "\033[K");
        p->drawn = true;
    } else {
        (void)fputs("renorm: ", p->out);
        finishing_words(p->out, f);
        (void)fprintf(p->out, ", %.0f%% (%u connections, %u MB and %u parallel workers each)\n",
                      f->done * 100, f->connections, f->memory_mb, f->parallel);
    }
    (void)fflush(p->out);
}

void progress_end(struct progress *p)
{
    if (p->drawn)
        (void)fprintf(p->out, "\r\033[K");
    (void)fflush(p->out);
}
