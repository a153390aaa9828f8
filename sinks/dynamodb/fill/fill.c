/* SPDX-License-Identifier: MIT */
/*
 * The frame of a backfill: where it stands, the task for the engine, sums. An error or the operator
 * ends it where it can be resumed; only a pass that read every segment is called finished.
 */
#include "sinks/dynamodb/fill/fill.h"

#include <stdlib.h>

#include "pipeline/run/engine.h"
#include "pipeline/source/table/scan.h"
#include "sinks/dynamodb/fill/fill_page.h"

/* ---- before ---------------------------------------------------------------------------------- */

/* What earlier processes wrote and did not mark, by the item's key. */
static enum rc remember(struct fill_task *f, struct err *err)
{
    const struct resume_point *st = &f->resumed;
    f->met = calloc(st->nintents + 1, sizeof *f->met);
    f->before = calloc(st->nintents + 1, sizeof *f->before);
    enum rc rc = f->met && f->before ? RC_OK : RC_NOMEM;
    for (size_t i = 0; !rc && i < st->nintents; i++) {
        f->before[i] = map_get(&f->mine, st->intents[i].key);
        rc = map_put(&f->mine, st->intents[i].key, (uint32_t)i);
    }
    return rc ? err_nomem(err) : RC_OK;
}

/* What earlier processes judged is part of the pass's first items. */
static void seed_fit(struct fill_task *f)
{
    uint64_t bad = 0;
    f->fit.became = "failed";
    f->fit.hint =
        "this model does not fit this table: rehearse it with --dry-run; if that is as "
        "it should be, say so with --max-unrouted";
    for (uint32_t i = 0; i < f->counts.rows; i++) {
        const uint64_t *row = f->resumed.counts + (size_t)i * FATES;
        bad += row[FATE_FAILED] + row[FATE_UNROUTED];
    }
    model_fit_seed(&f->fit, f->resumed.items, bad);
    if (f->setup->tolerant)
        atomic_store(&f->fit.judged, true);
}

static enum rc find_resume_point(struct fill_task *f, struct err *err)
{
    struct state *state = f->setup->state;
    struct source *source = f->setup->source;
    const struct pass_info *pass = state_pass(state);
    enum rc rc = resume_point_read(&f->resumed, state, pass, f->counts.rows, err);
    if (!rc && pass->generations > 1 && source->ops->resume)
        rc = source->ops->resume(source, pass->segments, pass->now_us, err);
    if (!rc)
        seed_fit(f);
    return rc ? rc : remember(f, err);
}

/* A worker takes turns over segments of its own: no more workers than have enough. */
static uint32_t workers_of(const struct fill_setup *setup)
{
    uint32_t most = scan_workers(setup->source);
    return most < setup->workers ? most : setup->workers;
}

static enum rc prepare(struct fill_task *f, struct err *err)
{
    f->table = scan_facts(f->setup->source).table;
    journaled_writer_shared(&f->write, f->setup);
    map_init(&f->mine);
    enum rc rc = fate_counts_init(&f->counts, f->setup, workers_of(f->setup), err);
    return rc ? rc : find_resume_point(f, err);
}

static void release(struct fill_task *f)
{
    fate_counts_release(&f->counts);
    free(f->met);
    free(f->before);
    map_release(&f->mine);
    resume_point_release(&f->resumed);
    writer_shared_release(&f->write);
}

/* ---- the task -------------------------------------------------------------------------------- */

static enum rc claim(struct task *task, struct task_worker *base, uint32_t segment,
                     struct claim *claim, struct err *err)
{
    const struct fill_task *f = (struct fill_task *)(void *)task;
    const struct segment_state *was = &f->resumed.segments[segment];
    (void)err;
    claim->state = was->done ? CLAIM_DONE : CLAIM_MINE;
    claim->resume = was->resume;
    if (!was->done)
        fill_work_open((struct fill_worker *)(void *)base, segment);
    return RC_OK;
}

static void tick(struct task *task)
{
    const struct fill_task *f = (struct fill_task *)(void *)task;
    const struct fill_setup *setup = f->setup;
    if (setup->tick)
        setup->tick(setup->tick_ctx, f->counts.progress, f->counts.workers, setup);
}

/* ---- after ----------------------------------------------------------------------------------- */

enum rc fill_scanned(const struct fill_setup *setup, enum rc rc, bool stopped, struct err *err)
{
    struct source *source = setup->source;
    if (!rc && stopped)
        rc = err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    if (!rc && source->ops->confirm)
        rc = source->ops->confirm(source, err);
    return rc;
}

static enum rc sum_up(const struct fill_task *f, struct err *err)
{
    f->out->table_units = (double)f->write.table_units / (double)BUDGET_UNIT;
    f->out->index_units = (double)f->write.index_units / (double)BUDGET_UNIT;
    return fate_counts_result(&f->counts, f->resumed.counts, f->setup->source, f->out, err);
}

static enum rc conclude(struct task *task, enum rc rc, bool stopped, struct err *err)
{
    const struct fill_task *f = (struct fill_task *)(void *)task;
    struct state *state = f->setup->state;
    struct err late = {0};
    uint64_t listed = 0;
    if (f->counts.sums && sum_up(f, &late) && !rc) {
        *err = late;
        rc = late.rc;
    }
    rc = fill_scanned(f->setup, rc, stopped, err);
    if (!rc)
        rc = history_list(state, state_pass(state), &listed, err);
    return rc ? rc : state_finish(state, err);
}

static const struct task_ops OPS = {
    .claim = claim, .worker = fill_worker_new, .tick = tick, .conclude = conclude};

enum rc fill_run(const struct fill_setup *setup, struct fill_result *out, struct err *err)
{
    struct fill_task f = {.task.ops = &OPS, .setup = setup, .out = out};
    int64_t start = setup->env->mono_us(setup->env->ctx);
    *out = (struct fill_result){0};
    enum rc rc = prepare(&f, err);
    struct engine_config config = {.source = setup->source,
                                   .workers = f.counts.workers,
                                   .stop = setup->stop,
                                   .env = setup->env};
    if (!rc) {
        rc = engine_run(&f.task, &config, err);
    } else { /* the sums still tell what earlier processes did */
        rc = conclude(&f.task, rc, false, err);
    }
    release(&f);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    return rc;
}

void fill_result_release(struct fill_result *r)
{
    free(r->counts);
    *r = (struct fill_result){0};
}
