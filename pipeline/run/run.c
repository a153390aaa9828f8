/* SPDX-License-Identifier: MIT */
/* The frame of a run: open, workers, join, verdict, finish, publish. */
#include "pipeline/run/run.h"

#include <stdlib.h>

#include "pipeline/item/times.h"
#include "pipeline/run/judge.h"

enum { LOOK_NS = 10000000 };

struct crew {
    struct run_shared shared;
    struct worker *workers;
    struct run_progress *progress;
    pthread_mutex_t mu;
    pthread_cond_t ended; /* a worker has */
    uint32_t living;      /* lock: mu */
    uint32_t n;
};

struct start_arg {
    struct worker *w;
    struct crew *crew;
};

static void *thread_main(void *arg)
{
    struct start_arg *a = arg;
    (void)worker_main(a->w);
    (void)pthread_mutex_lock(&a->crew->mu);
    a->crew->living--;
    (void)pthread_cond_signal(&a->crew->ended);
    (void)pthread_mutex_unlock(&a->crew->mu);
    return NULL;
}

/* Until all workers have ended, or it is time to look round; true: they have. */
static bool wait_for_workers(struct crew *c)
{
    struct timespec until;
    int code = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_mutex_lock(&c->mu);
    while (c->living && code == 0)
        code = pthread_cond_timedwait(&c->ended, &c->mu, &until);
    bool none = c->living == 0;
    (void)pthread_mutex_unlock(&c->mu);
    return none;
}

static enum rc make_workers(struct crew *c, const struct run_setup *setup, struct err *err)
{
    for (uint32_t i = 0; i < c->n; i++) {
        struct worker *w = &c->workers[i];
        w->shared = &c->shared;
        w->progress = &c->progress[i];
        w->reader = setup->source->ops->reader(setup->source, err);
        w->sink = w->reader ? setup->sink->ops->worker(setup->sink, i, err) : NULL;
        if (!w->sink)
            return err->rc;
    }
    return RC_OK;
}

static void tick(const struct run_setup *setup, struct crew *c, const struct run_state *state)
{
    if (setup->tick)
        setup->tick(setup->tick_ctx, c->progress, c->n, state);
}

static void tick_source(const struct run_setup *setup, struct crew *c)
{
    struct source *s = setup->source;
    struct err err = {0};
    if (s->ops->tick && !atomic_load(&c->shared.halt) && s->ops->tick(s, &err) != RC_OK)
        run_fail(&c->shared, &err);
}

static enum rc run_threads(struct crew *c, const struct run_setup *setup,
                           const struct run_state *state, struct err *err)
{
    struct start_arg *args = calloc((size_t)c->n + 1, sizeof *args);
    if (!args)
        return err_nomem(err);
    enum rc rc = RC_OK;
    for (uint32_t i = 0; rc == RC_OK && i < c->n; i++) {
        args[i] = (struct start_arg){&c->workers[i], c};
        (void)pthread_mutex_lock(&c->mu);
        int code = pthread_create(&c->workers[i].thread, NULL, thread_main, &args[i]);
        c->workers[i].started = code == 0;
        c->living += code == 0;
        (void)pthread_mutex_unlock(&c->mu);
        if (code != 0) {
            rc = err_errno(err, RC_TRANSIENT, code, "cannot start a thread");
            run_fail(&c->shared, err);
        }
    }
    while (!wait_for_workers(c)) {
        tick(setup, c, state);
        tick_source(setup, c);
        if (atomic_load(setup->stop) || atomic_load(&c->shared.halt)) {
            for (uint32_t i = 0; i < c->n; i++)
                c->workers[i].reader->ops->wake(c->workers[i].reader);
        }
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->workers[i].started)
            pthread_join(c->workers[i].thread, NULL);
    }
    free(args);
    return rc;
}

static void close_workers(struct crew *c)
{
    for (uint32_t i = 0; c->workers && i < c->n; i++) {
        struct worker *w = &c->workers[i];
        if (w->sink)
            w->sink->ops->close(w->sink);
        if (w->reader)
            w->reader->ops->free(w->reader);
    }
}

static void sum_up(const struct crew *c, struct run_result *out, uint32_t ncounters)
{
    for (uint32_t i = 0; i < ncounters; i++)
        out->counters[i] += c->shared.counters[i];
    for (uint32_t i = 0; i < c->n; i++) {
        out->idle_us += atomic_load(&c->progress[i].idle_us);
        out->busy_us += atomic_load(&c->progress[i].busy_us);
        out->segments += (uint32_t)atomic_load(&c->progress[i].segments);
    }
}

static enum rc crew_init(struct crew *c, const struct run_setup *setup,
                         const struct run_state *state, struct err *err)
{
    *c = (struct crew){.n = setup->workers};
    c->shared.setup = setup;
    c->shared.state = state;
    judge_seed(&c->shared, state);
    (void)pthread_mutex_init(&c->shared.mu, NULL);
    (void)pthread_mutex_init(&c->mu, NULL);
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&c->ended, &clock);
    (void)pthread_condattr_destroy(&clock);
    c->workers = calloc(c->n, sizeof *c->workers);
    c->progress = calloc(c->n, sizeof *c->progress);
    c->shared.counters = calloc(schema_counters(&setup->plan->schema), sizeof(uint64_t));
    if (c->workers && c->progress && c->shared.counters)
        return RC_OK;
    c->n = 0; /* nobody to close or to count */
    return err_nomem(err);
}

static void crew_release(struct crew *c)
{
    free(c->workers);
    free(c->progress);
    free(c->shared.counters);
    (void)pthread_mutex_destroy(&c->shared.mu);
    (void)pthread_mutex_destroy(&c->mu);
    (void)pthread_cond_destroy(&c->ended);
}

static enum rc interrupted(const struct run_setup *setup, struct err *err)
{
    if (setup->source->resumable)
        return err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    (void)err_set(err, RC_CANCEL, "interrupted");
    return err_hint(err, "%.*s cannot be read again from where it stopped: begin anew",
                    STR_FMT(setup->source->description));
}

static enum rc read_all(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    struct crew c;
    enum rc rc = crew_init(&c, setup, &out->state, err);
    if (rc == RC_OK)
        rc = make_workers(&c, setup, err);
    if (rc == RC_OK)
        rc = run_threads(&c, setup, &out->state, err);
    close_workers(&c);
    if (c.shared.counters)
        sum_up(&c, out, schema_counters(&setup->plan->schema));
    if (c.shared.first.rc != RC_OK) {
        *err = c.shared.first;
        rc = err->rc;
    }
    crew_release(&c);
    /* whoever asked to stop does not want to hear of trouble that waiting might have healed */
    if ((rc == RC_OK || rc == RC_TRANSIENT) && atomic_load(setup->stop))
        rc = interrupted(setup, err);
    if (rc == RC_OK && setup->source->ops->confirm)
        rc = setup->source->ops->confirm(setup->source, err);
    return rc;
}

bool allowance_exceeded(const struct allowance *a, uint64_t n, uint64_t read)
{
    if (a->percent < 0)
        return n > a->count;
    return (double)n > a->percent / 100.0 * (double)read;
}

/* The counts of the whole run, whoever read its items, and what they mean for publishing. */
static enum rc pass_verdict(const struct run_setup *setup, struct run_result *out,
                            struct err *err)
{
    const struct sink_ops *ops = setup->sink->ops;
    enum rc rc = ops->sums ? ops->sums(setup->sink, out->counters, err) : RC_OK;
    if (rc != RC_OK)
        return rc;
    const uint64_t *c = out->counters;
    uint64_t fates = c[CNT_ROUTED] + c[CNT_FILTERED] + c[CNT_UNROUTED] + c[CNT_REJECTED];
    if (c[CNT_READ] != fates) {
        return err_set(err, RC_SINK,
                       "the balance does not add up: %llu items read, %llu accounted for",
                       (unsigned long long)c[CNT_READ], (unsigned long long)fates);
    }
    out->verdict = (struct verdict){.rejected = c[CNT_REJECTED], .unrouted = c[CNT_UNROUTED]};
    out->verdict.above_allowance =
        allowance_exceeded(&setup->rejects, c[CNT_REJECTED], c[CNT_READ]) ||
        allowance_exceeded(&setup->unrouted, c[CNT_UNROUTED], c[CNT_READ]);
    return RC_OK;
}

static enum rc conclude(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    const uint64_t *c = out->counters;
    enum rc rc = pass_verdict(setup, out, err);
    if (rc == RC_OK)
        rc = setup->sink->ops->finish(setup->sink, &out->verdict, &out->report, err);
    if (rc == RC_OK)
        rc = setup->sink->ops->publish(setup->sink, &out->verdict, &out->report, err);
    if (rc == RC_OK && out->verdict.above_allowance) {
        rc = err_set(err, RC_FINISHED_BAD,
                     "%llu item%s rejected, %llu unrouted: more than allowed",
                     (unsigned long long)c[CNT_REJECTED], c[CNT_REJECTED] == 1 ? "" : "s",
                     (unsigned long long)c[CNT_UNROUTED]);
    }
    return rc;
}

/* Times to live are compared with the moment at which the run began, by all of it. */
static enum rc check_now(const struct run_setup *setup, const struct run_state *state,
                         struct err *err)
{
    if (!state->resumed || !setup->info.now_given || state->now_us == setup->info.now_us)
        return RC_OK;
    struct buf began;
    buf_init(&began, 64);
    times_add_stamp(&began, state->now_us);
    (void)err_set(err, RC_USAGE, "the unfinished run is as of %s, --now says another time",
                  buf_cstr(&began));
    buf_release(&began);
    return err_hint(err, "leave --now out to resume it; --restart abandons it");
}

static enum rc prepare(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    const struct schema *schema = &setup->plan->schema;
    out->counters = calloc(schema_counters(schema), sizeof *out->counters);
    out->report.tables = calloc(schema->ntables + 1, sizeof *out->report.tables);
    if (!out->counters || !out->report.tables)
        return err_nomem(err);
    setup->sink->watch = (struct sink_watch){setup->stop, setup->doing, setup->tick_ctx};
    enum rc rc = setup->sink->ops->open(setup->sink, &setup->info, &out->state, err);
    if (rc == RC_OK && out->state.counters) {
        memcpy(out->counters, out->state.counters,
               schema_counters(schema) * sizeof *out->counters);
    }
    if (rc == RC_OK)
        rc = check_now(setup, &out->state, err);
    struct source *source = setup->source;
    if (rc == RC_OK && out->state.resumed && !out->state.complete && source->ops->resume)
        rc = source->ops->resume(source, out->state.segments, out->state.now_us, err);
    return rc;
}

/* Of a run that is not finished: the rows that are safe. */
static void tell_committed(const struct run_setup *setup, struct run_result *out)
{
    if (!out->counters || !out->report.tables)
        return;
    for (uint32_t i = 0; i < setup->plan->schema.ntables; i++)
        out->report.tables[i].rows = out->counters[CNT_FIXED + i];
}

enum rc run_export(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    *out = (struct run_result){0};
    int64_t start = setup->env->mono_us(setup->env->ctx);
    enum rc rc = prepare(setup, out, err);
    if (rc == RC_OK && !out->state.complete)
        rc = read_all(setup, out, err);
    if (rc == RC_OK) {
        rc = conclude(setup, out, err);
        if (rc == RC_CANCEL)
            rc = interrupted(setup, err);
    } else {
        tell_committed(setup, out);
    }
    if (rc == RC_CANCEL && atomic_load(setup->stop))
        rc = interrupted(setup, err);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    out->metered = setup->source->ops->usage != NULL;
    if (out->metered)
        setup->source->ops->usage(setup->source, &out->usage);
    bool curable = rc == RC_TRANSIENT || rc == RC_THROTTLE || rc == RC_NOMEM || rc == RC_CANCEL;
    if (curable && !setup->source->resumable && rc != RC_CANCEL) {
        err->rc = rc = RC_SOURCE;
        (void)err_hint(err, "this source cannot be read again from where it stopped");
    }
    return rc;
}

void run_result_release(struct run_result *r)
{
    free(r->counters);
    free(r->report.tables);
    *r = (struct run_result){0};
}
