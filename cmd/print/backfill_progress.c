/* SPDX-License-Identifier: MIT */
/*
 * Rates are smoothed over a few samples. The share done is by the table's own count of its items,
 * which is hours old, so it stops at 99% until the segments are done.
 */
#define _DEFAULT_SOURCE
#include "cmd/print/backfill_progress.h"

#include <inttypes.h>
#include <unistd.h>

#include "cmd/print/progress.h"
#include "cmd/print/tell.h"

struct sums {
    uint64_t items, changed, troubled, segments;
    uint32_t of; /* so many segments */
    struct source_usage reads;
    double written, allowed; /* units, and units a second */
    double done;             /* 0..1, negative: not known */
};

void backfill_progress_init(struct backfill_progress *p, FILE *out, const struct env *env)
{
    *p = (struct backfill_progress){
        .out = out, .env = env, .terminal = isatty(fileno(out)) == 1};
    p->start_us = p->last_us = env->mono_us(env->ctx);
}

static double share(const struct backfill_progress *p, const struct sums *s)
{
    if (s->of && s->segments >= s->of)
        return 1;
    if (!p->total)
        return s->of ? (double)s->segments / (double)s->of : -1;
    double done = (double)s->items / (double)p->total;
    return done > 0.99 ? 0.99 : done;
}

static struct sums sum(const struct backfill_progress *p, const struct fill_progress *w,
                       uint32_t n, const struct fill_setup *setup, int64_t now)
{
    struct sums s = {.of = p->undo ? 0 : setup->source->segments};
    for (uint32_t i = 0; i < n; i++) {
        s.items += atomic_load(&w[i].items);
        s.changed += atomic_load(&w[i].fates[FATE_CHANGED]);
        s.troubled +=
            atomic_load(&w[i].fates[FATE_CONFLICTED]) + atomic_load(&w[i].fates[FATE_FAILED]);
        s.segments += atomic_load(&w[i].segments);
    }
    setup->source->ops->usage(setup->source, &s.reads);
    if (p->writes) {
        struct budget_stats b = budget_stats(p->writes, now);
        s.written = (double)b.consumed / (double)BUDGET_UNIT;
        s.allowed = (double)b.rate / (double)BUDGET_UNIT;
    }
    s.done = share(p, &s);
    return s;
}

static void update_rates(struct backfill_progress *p, const struct sums *s, int64_t now)
{
    double seconds = (double)(now - p->last_us) / 1e6;
    double keep = p->last_items ? 0.7 : 0.0, take = (1 - keep) / seconds;
    p->items_rate = keep * p->items_rate + take * (double)(s->items - p->last_items);
    p->write_rate = keep * p->write_rate + take * (s->written - p->last_written);
    p->read_rate = keep * p->read_rate + take * (s->reads.units - p->last_read);
    p->last_items = s->items;
    p->last_written = s->written;
    p->last_read = s->reads.units;
    p->last_us = now;
}

static const char *done_word(const struct backfill_progress *p)
{
    if (p->undo)
        return "put back";
    return p->writes ? "changed" : "to change";
}

static void tell(const struct backfill_progress *p, const struct sums *s, const char *sep)
{
    (void)fprintf(p->out, "%" PRIu64 " items%s%.0f items/s%s%" PRIu64 " %s", s->items, sep,
                  p->items_rate, sep, s->changed, done_word(p));
    if (p->writes)
        (void)fprintf(p->out, "%s%.0f of %.0f WCU/s", sep, p->write_rate, s->allowed);
    if (!p->undo)
        (void)fprintf(p->out, "%s%.0f of %.0f RCU/s", sep, p->read_rate, s->reads.allowed);
    (void)fprintf(p->out, "%s%" PRIu64 " throttles%s%" PRIu64 " retries", sep,
                  s->reads.throttles, sep, s->reads.retries);
    if (!p->undo)
        (void)fprintf(p->out, "%s%" PRIu64 " of %u segments", sep, s->segments, s->of);
    if (s->troubled)
        (void)fprintf(p->out, "%s%" PRIu64 " failed or changed by others", sep, s->troubled);
    if (p->total > s->items && p->items_rate > 0 && s->done < 1) {
        (void)fprintf(p->out, "%s%.0f s left", sep,
                      (double)(p->total - s->items) / p->items_rate);
    }
}

/* The beginning of an event, which the caller ends. */
static void event(const struct backfill_progress *p, const char *name)
{
    char stamp[TELL_STAMP_SIZE];
    tell_stamp(stamp, p->env->now_us(p->env->ctx));
    (void)fprintf(p->out, "{\"event\":\"%s\",\"time\":\"%s\"", name, stamp);
}

static void line_json(const struct backfill_progress *p, const struct sums *s, double seconds)
{
    event(p, "progress");
    (void)fprintf(p->out,
                  ",\"seconds\":%.1f,\"items\":%" PRIu64
                  ",\"items_per_second\":%.0f,\"changed\":%" PRIu64 ",\"troubled\":%" PRIu64
                  ",\"segments\":%" PRIu64 ",\"done\":%.4f,\"wcu\":%.1f,\"wcu_per_second\":%.1f"
                  ",\"wcu_allowed\":%.1f,\"rcu\":%.1f,\"rcu_per_second\":%.1f"
                  ",\"rcu_allowed\":%.1f,\"throttles\":%" PRIu64 ",\"retries\":%" PRIu64 "}\n",
                  seconds, s->items, p->items_rate, s->changed, s->troubled, s->segments,
                  s->done < 0 ? 0 : s->done, s->written, p->write_rate, s->allowed,
                  s->reads.units, p->read_rate, s->reads.allowed, s->reads.throttles,
                  s->reads.retries);
}

static void show(struct backfill_progress *p, const struct sums *s)
{
    double seconds = (double)(p->last_us - p->start_us) / 1e6;
    if (p->json) {
        line_json(p, s, seconds);
    } else if (p->terminal) {
        progress_bar(p->out, s->done);
        tell(p, s, "  ");
        (void)fprintf(p->out, "\033[K");
        p->drawn = true;
    } else {
        (void)fprintf(p->out, "renorm: %.0f s: ", seconds);
        tell(p, s, ", ");
        if (s->done >= 0)
            (void)fprintf(p->out, ", %d%%", (int)(s->done * 100));
        (void)fputc('\n', p->out);
    }
    (void)fflush(p->out);
}

void backfill_progress_tick(void *ctx, const struct fill_progress *workers, uint32_t n,
                            const struct fill_setup *setup)
{
    struct backfill_progress *p = ctx;
    int64_t now = p->env->mono_us(p->env->ctx);
    if (p->quiet || now < p->last_us + (p->terminal ? PROGRESS_DRAW_US : PROGRESS_LINE_US))
        return;
    struct sums s = sum(p, workers, n, setup, now);
    update_rates(p, &s, now);
    show(p, &s);
}

void backfill_progress_upgraded(struct backfill_progress *p, const struct state *s)
{
    if (p->quiet || !s->was || s->was == STATE_VERSION)
        return;
    if (p->json)
        event(p, "phase");
    (void)fprintf(p->out,
                  p->json ? ",\"phase\":\"state upgraded from version %u to %d\"}\n"
                          : "renorm: state upgraded from version %u to %d\n",
                  s->was, STATE_VERSION);
}

void backfill_progress_end(struct backfill_progress *p)
{
    if (p->drawn)
        (void)fprintf(p->out, "\r\033[K");
    (void)fflush(p->out);
}
