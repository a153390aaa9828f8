/* SPDX-License-Identifier: MIT */
/*
 * The frame of a pass: where it stands, workers, join, sums. An error or the operator ends it
 * where it can be resumed; only a pass that read every segment is called finished.
 */
#include "sinks/dynamodb/fill.h"

#include <stdlib.h>

#include "pipeline/source/scan.h"
#include "sinks/dynamodb/fill_worker.h"

enum { TICK_US = 10000 };

struct crew {
    struct fill_shared shared;
    struct fill_worker *workers;
    struct fill_progress *progress;
    atomic_uint living;
    uint32_t n;
};

struct start_arg {
    struct fill_worker *w;
    atomic_uint *living;
};

static void *thread_main(void *arg)
{
    struct start_arg *a = arg;
    (void)fill_worker_main(a->w);
    atomic_fetch_sub(a->living, 1);
    return NULL;
}

/* ---- before ---------------------------------------------------------------------------------- */

/* What earlier processes wrote and did not mark, by the item's key. */
static enum rc remember(struct fill_shared *s, struct err *err)
{
    const struct standing *st = &s->standing;
    s->met = calloc(st->nintents + 1, sizeof *s->met);
    s->before = calloc(st->nintents + 1, sizeof *s->before);
    enum rc rc = s->met && s->before ? RC_OK : RC_NOMEM;
    for (size_t i = 0; !rc && i < st->nintents; i++) {
        s->before[i] = map_get(&s->mine, st->intents[i].key);
        rc = map_put(&s->mine, st->intents[i].key, (uint32_t)i);
    }
    return rc ? err_nomem(err) : RC_OK;
}

static enum rc find_standing(struct fill_shared *s, struct err *err)
{
    struct state *state = s->setup->state;
    struct source *source = s->setup->source;
    const struct pass_info *pass = state_pass(state);
    enum rc rc = standing_read(&s->standing, state, pass, s->rows, err);
    if (!rc && pass->generations > 1 && source->ops->resume)
        rc = source->ops->resume(source, pass->segments, pass->now_us, err);
    for (uint32_t i = 0; !rc && i < s->rows; i++) { /* what was judged before counts on */
        const uint64_t *row = s->standing.counts + (size_t)i * FATES;
        atomic_fetch_add(&s->bad, row[FATE_FAILED] + row[FATE_UNROUTED]);
    }
    if (!rc)
        atomic_store(&s->seen, s->standing.items);
    return rc ? rc : remember(s, err);
}

/* A worker that writes takes turns over segments of its own: no more workers than have enough. */
static uint32_t crew_size(const struct fill_setup *setup)
{
    uint32_t most = setup->state ? scan_workers(setup->source) : setup->workers;
    return most < setup->workers ? most : setup->workers;
}

static enum rc crew_init(struct crew *c, const struct fill_setup *setup, struct err *err)
{
    struct fill_shared *s = &c->shared;
    *c = (struct crew){0};
    s->setup = setup;
    s->rows = setup->plan->model->nentities + 1;
    write_shared_init(&s->write);
    s->write.ddb = scan_ddb(setup->source);
    s->write.reads = scan_budget(setup->source);
    s->write.writes = setup->writes;
    s->table = scan_facts(setup->source).table;
    s->write.table = s->table->name;
    s->write.facts = s->table;
    s->write.pk = s->table->schema.keys[0].name;
    s->write.env = setup->env;
    (void)pthread_mutex_init(&s->mu, NULL);
    map_init(&s->mine);
    s->counts = calloc((size_t)s->rows * FATES, sizeof *s->counts);
    c->progress = calloc(setup->workers, sizeof *c->progress);
    c->workers = calloc(setup->workers, sizeof *c->workers);
    if (!s->counts || !c->progress || !c->workers)
        return err_nomem(err);
    enum rc rc = setup->state ? find_standing(s, err) : RC_OK;
    uint32_t n = crew_size(setup);
    for (uint32_t i = 0; !rc && i < n; i++) {
        c->n = i + 1;
        rc = fill_worker_init(&c->workers[i], s, &c->progress[i], i, err);
    }
    return rc;
}

static void crew_release(struct crew *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        fill_worker_release(&c->workers[i]);
    free(c->workers);
    free(c->progress);
    free(c->shared.counts);
    free(c->shared.met);
    free(c->shared.before);
    map_release(&c->shared.mine);
    standing_release(&c->shared.standing);
    write_shared_release(&c->shared.write);
    (void)pthread_mutex_destroy(&c->shared.mu);
}

/* ---- while it runs --------------------------------------------------------------------------- */

static void tick(struct crew *c)
{
    const struct fill_setup *setup = c->shared.setup;
    struct source *s = setup->source;
    struct err err = {0};
    if (setup->tick)
        setup->tick(setup->tick_ctx, c->progress, c->n, setup);
    if (s->ops->tick && !atomic_load(&c->shared.halt) && s->ops->tick(s, &err))
        fill_fail(&c->shared, &err);
    if (!atomic_load(setup->stop) && !atomic_load(&c->shared.halt))
        return;
    for (uint32_t i = 0; i < c->n; i++)
        c->workers[i].reader->ops->wake(c->workers[i].reader);
}

static enum rc run_threads(struct crew *c, struct err *err)
{
    const struct env *env = c->shared.setup->env;
    struct start_arg *args = calloc((size_t)c->n + 1, sizeof *args);
    if (!args)
        return err_nomem(err);
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < c->n; i++) {
        args[i] = (struct start_arg){&c->workers[i], &c->living};
        atomic_fetch_add(&c->living, 1);
        int code = pthread_create(&c->workers[i].thread, NULL, thread_main, &args[i]);
        c->workers[i].started = code == 0;
        if (code) {
            atomic_fetch_sub(&c->living, 1);
            rc = err_errno(err, RC_TRANSIENT, code, "cannot start a thread");
            fill_fail(&c->shared, err);
        }
    }
    while (atomic_load(&c->living)) {
        env->sleep_us(env->ctx, TICK_US);
        tick(c);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->workers[i].started)
            (void)pthread_join(c->workers[i].thread, NULL);
    }
    free(args);
    return rc;
}

/* ---- after ----------------------------------------------------------------------------------- */

static enum rc sum_up(struct crew *c, struct fill_result *out, struct err *err)
{
    struct fill_shared *s = &c->shared;
    struct source_usage usage = {0};
    out->rows = s->rows;
    out->counts = calloc((size_t)s->rows * FATES, sizeof *out->counts);
    if (!out->counts)
        return err_nomem(err);
    for (uint32_t i = 0; i < s->rows * FATES; i++) {
        uint64_t earlier = s->standing.counts ? s->standing.counts[i] : 0;
        out->counts[i] = s->counts[i] + earlier;
        out->resumed_items += earlier;
    }
    out->read = out->resumed_items + s->items; /* not from the fates: they must add up to it */
    for (uint32_t i = 0; i < c->n; i++)
        out->segments += (uint32_t)atomic_load(&c->progress[i].segments);
    if (s->setup->source->ops->usage)
        s->setup->source->ops->usage(s->setup->source, &usage);
    out->read_units = usage.units;
    out->throttles = usage.throttles;
    out->retries = usage.retries;
    out->table_units = (double)s->write.table_units / (double)BUDGET_UNIT;
    out->index_units = (double)s->write.index_units / (double)BUDGET_UNIT;
    return RC_OK;
}

static enum rc conclude(const struct fill_setup *setup, struct err *err)
{
    struct source *source = setup->source;
    uint64_t listed = 0;
    enum rc rc = source->ops->confirm ? source->ops->confirm(source, err) : RC_OK;
    if (!rc && setup->state)
        rc = history_list(setup->state, state_pass(setup->state), &listed, err);
    if (!rc && setup->state)
        rc = state_finish(setup->state, err);
    return rc;
}

enum rc fill_run(const struct fill_setup *setup, struct fill_result *out, struct err *err)
{
    struct crew c;
    int64_t start = setup->env->mono_us(setup->env->ctx);
    *out = (struct fill_result){0};
    enum rc rc = crew_init(&c, setup, err);
    if (!rc)
        rc = run_threads(&c, err);
    if (c.shared.first.rc) {
        *err = c.shared.first;
        rc = err->rc;
    }
    struct err late = {0};
    enum rc summed = c.shared.counts ? sum_up(&c, out, &late) : RC_OK;
    crew_release(&c);
    if (!rc && summed) {
        *err = late;
        rc = summed;
    }
    if (!rc && atomic_load(setup->stop))
        rc = err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    if (!rc)
        rc = conclude(setup, err);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    return rc;
}

void fill_result_release(struct fill_result *r)
{
    free(r->counts);
    *r = (struct fill_result){0};
}
