/* SPDX-License-Identifier: MIT */
/*
 * Each lane is a thread with a copy of the run that has a connection of its own: so a step is the
 * same code whether it is alone or not. The schedule, under one lock, deals the steps; the main
 * thread waits, looks how far it is, and cancels statements when asked to stop.
 */
#include "sinks/postgres/finish/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sinks/postgres/finish/schedule.h"

enum { MOST = 32, TELL_US = 500000 };

struct crew;

struct lane {
    struct pg_run run;
    struct crew *crew;
    pthread_t thread;
    bool first;    /* the one that there must be */
    int pid;       /* lock: crew->mu. Of its backend */
    uint32_t step; /* lock: crew->mu. What it does; UINT32_MAX: nothing */
};

struct crew {
    struct pg_run *run;
    const struct pg_steps *steps;
    uint64_t *amounts;
    struct pg_lane_settings settings;
    struct lane *lanes;
    uint32_t n;
    int64_t began_us, told_us;

    pthread_mutex_t mu;
    pthread_cond_t change;
    struct pg_schedule schedule; /* lock: mu */
    uint32_t alive;              /* lock: mu. Lanes that have not ended */
    enum rc rc;                  /* lock: mu. The first error ends the walk */
    struct err err;              /* lock: mu */
    bool gone;                   /* lock: mu */
};

/* lock: crew->mu. Returns false when there is nothing left to do. */
static bool next_step(struct crew *c, struct lane *l)
{
    l->step = UINT32_MAX;
    while (!c->rc && c->schedule.left > 0 && !pg_stopped(c->run)) {
        if (pg_schedule_take(&c->schedule, &l->step)) {
            l->pid = l->run.pg ? PQbackendPID(l->run.pg) : 0;
            return true;
        }
        (void)pthread_cond_wait(&c->change, &c->mu);
    }
    return false;
}

/* lock: crew->mu */
static void note(struct crew *c, struct lane *l, enum rc rc, const struct err *err)
{
    if (rc && !c->rc) {
        c->rc = rc;
        c->err = *err;
    }
    c->gone = c->gone || l->run.gone;
    (void)pthread_cond_broadcast(&c->change);
}

static void do_steps(struct crew *c, struct lane *l)
{
    (void)pthread_mutex_lock(&c->mu);
    while (next_step(c, l)) {
        struct pg_outcome out = {0};
        struct err err;
        uint32_t step = l->step;
        (void)pthread_mutex_unlock(&c->mu);
        enum rc rc = pg_step_once(&l->run, &c->steps->v[step], &out, &err);
        (void)pthread_mutex_lock(&c->mu);
        c->amounts[step] = out.amount;
        pg_schedule_end(&c->schedule, step, !rc);
        note(c, l, rc, &err);
    }
    (void)pthread_mutex_unlock(&c->mu);
}

/* A lane that gets no connection is done without, but for the first. */
static enum rc connect_lane(struct lane *l, struct err *err)
{
    enum rc rc = pg_run_connect(&l->run, l->first ? l->run.opts.retry_s : 0, err);
    return rc && !l->first ? RC_AGAIN : rc;
}

static void *lane_main(void *arg)
{
    struct lane *l = arg;
    struct crew *c = l->crew;
    struct err err;
    enum rc rc = connect_lane(l, &err);
    if (!rc)
        do_steps(c, l);
    (void)pthread_mutex_lock(&c->mu);
    c->alive--;
    note(c, l, rc == RC_AGAIN ? RC_OK : rc, &err);
    (void)pthread_mutex_unlock(&c->mu);
    return NULL;
}

static enum rc lane_init(struct lane *l, struct crew *c, bool first, struct err *err)
{
    l->run = *c->run;
    l->crew = c;
    l->first = first;
    l->step = UINT32_MAX;
    l->run.pg = NULL;
    l->run.cancel = NULL;
    l->run.watched = true;
    l->run.session = c->settings.sql;
    memset(l->run.stmts, 0, sizeof l->run.stmts);
    (void)pthread_mutex_init(&l->run.cancel_mu, NULL);
    return pg_stmts_make(&l->run, err);
}

static void lane_release(struct lane *l)
{
    PQfinish(l->run.pg);
    PQfreeCancel(l->run.cancel);
    (void)pthread_mutex_destroy(&l->run.cancel_mu);
    for (int i = 0; i < PG_STMTS; i++)
        free(l->run.stmts[i]);
}

/* A second connection is of use where there is a second table. */
static uint32_t how_many(const struct pg_run *r)
{
    uint32_t n = r->workers < r->schema->ntables ? r->workers : r->schema->ntables;
    if (n > MOST)
        n = MOST;
    return n ? n : 1;
}

/* lock: none. The lane counts as alive before it runs. */
static int start_lane(struct crew *c, struct lane *l)
{
    (void)pthread_mutex_lock(&c->mu);
    c->alive++;
    (void)pthread_mutex_unlock(&c->mu);
    int failed = pthread_create(&l->thread, NULL, lane_main, l);
    if (failed) {
        (void)pthread_mutex_lock(&c->mu);
        c->alive--;
        (void)pthread_mutex_unlock(&c->mu);
    }
    return failed;
}

/* A lane that cannot be made is done without, but for the first. */
static enum rc crew_start(struct crew *c, struct err *err)
{
    const uint32_t wanted = c->n;
    enum rc rc = RC_OK;
    c->lanes = calloc(wanted, sizeof *c->lanes);
    c->n = 0;
    if (!c->lanes)
        return err_nomem(err);
    for (bool more = true; more && c->n < wanted;) {
        struct lane *l = &c->lanes[c->n];
        rc = lane_init(l, c, c->n == 0, err);
        int failed = rc ? 0 : start_lane(c, l);
        more = !rc && !failed;
        if (failed)
            rc = err_errno(err, RC_SINK, failed, "cannot start a thread");
        if (more) {
            c->n++;
        } else {
            lane_release(l);
        }
    }
    return c->n ? RC_OK : rc;
}

/* What is told of the steps under way; the one with most work is named. */
struct doing {
    int pids[MOST];
    double work[MOST];
    uint32_t n, named;
    struct buf words;
};

static void look(struct crew *c, struct doing *d, struct sink_finishing *f)
{
    double most = -1;
    (void)pthread_mutex_lock(&c->mu);
    struct pg_schedule_work w = pg_schedule_work(&c->schedule);
    for (uint32_t i = 0; i < c->n; i++) {
        const struct lane *l = &c->lanes[i];
        if (l->step == UINT32_MAX)
            continue;
        d->pids[d->n] = l->pid;
        d->work[d->n] = c->schedule.work[l->step];
        if (d->work[d->n] > most) {
            most = d->work[d->n];
            d->named = d->n;
            buf_clear(&d->words);
            pg_step_words(&d->words, c->run, &c->steps->v[l->step]);
        }
        d->n++;
    }
    f->steps = c->steps->n;
    f->steps_done = c->steps->n - c->schedule.left;
    (void)pthread_mutex_unlock(&c->mu);
    f->done = w.all > 0 ? w.done / w.all : 0;
    for (uint32_t i = 0; i < d->n; i++) {
        double share = pg_lane_share(c->run, d->pids[i]);
        if (share >= 0 && w.all > 0)
            f->done += share * d->work[i] / w.all;
        if (i == d->named)
            f->step_share = share;
    }
}

/* Twice a second: the step with most work, its share, and the time left as it went so far. */
static void tell(struct crew *c)
{
    enum { SOON_US = 1000000 };
    const struct sink_watch *watch = &c->run->sink.watch;
    int64_t now = c->run->env->mono_us(c->run->env->ctx);
    if (!watch->finishing || now < c->told_us + TELL_US)
        return;
    c->told_us = now;
    struct doing d = {.n = 0};
    struct sink_finishing f = {.step_share = -1,
                               .seconds_left = -1,
                               .connections = c->n,
                               .memory_mb = c->settings.memory_mb,
                               .parallel = c->settings.parallel};
    buf_init(&d.words, 4096);
    look(c, &d, &f);
    if (f.done > 0.02 && now - c->began_us >= SOON_US)
        f.seconds_left = (double)(now - c->began_us) / 1e6 * (1 - f.done) / f.done;
    f.step = buf_cstr(&d.words);
    f.others = d.n > 1 ? d.n - 1 : 0;
    watch->finishing(watch->ctx, &f);
    buf_release(&d.words);
}

/* thread: main. Until all lanes have ended. */
static void wait_for_lanes(struct crew *c)
{
    enum { LOOK_NS = 100000000 };
    (void)pthread_mutex_lock(&c->mu);
    while (c->alive > 0) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&c->change, &c->mu, &until);
        (void)pthread_mutex_unlock(&c->mu);
        tell(c);
        for (uint32_t i = 0; i < c->n; i++)
            pg_stop_cancel(&c->lanes[i].run);
        (void)pthread_mutex_lock(&c->mu);
        if (pg_stopped(c->run))
            (void)pthread_cond_broadcast(&c->change);
    }
    (void)pthread_mutex_unlock(&c->mu);
}

static void crew_init(struct crew *c, struct pg_run *r, const struct pg_steps *steps,
                      uint64_t *amounts)
{
    pthread_condattr_t attr;
    *c = (struct crew){.run = r, .steps = steps, .n = how_many(r)};
    c->amounts = amounts;
    c->began_us = c->told_us = r->env->mono_us(r->env->ctx);
    (void)pthread_mutex_init(&c->mu, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&c->change, &attr);
    (void)pthread_condattr_destroy(&attr);
}

static void crew_release(struct crew *c)
{
    for (uint32_t i = 0; i < c->n && c->lanes; i++) {
        (void)pthread_join(c->lanes[i].thread, NULL);
        lane_release(&c->lanes[i]);
    }
    free(c->lanes);
    pg_schedule_release(&c->schedule);
    (void)pthread_cond_destroy(&c->change);
    (void)pthread_mutex_destroy(&c->mu);
}

enum rc pg_lanes_walk(struct pg_run *r, const struct pg_steps *steps, uint64_t *amounts,
                      struct err *err)
{
    struct crew c;
    crew_init(&c, r, steps, amounts);
    enum rc rc = pg_schedule_init(&c.schedule, r->schema, steps, r->counters + CNT_FIXED, err);
    if (!rc)
        rc = pg_lane_settings(r, c.n, &c.settings, err);
    if (!rc)
        rc = crew_start(&c, err);
    if (!rc)
        wait_for_lanes(&c);
    crew_release(&c);
    r->gone = r->gone || c.gone;
    if (!rc && c.rc) {
        *err = c.err;
        rc = c.rc;
    }
    return pg_unless_stopped(r, rc, err);
}
