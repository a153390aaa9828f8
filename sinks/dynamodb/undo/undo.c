/* SPDX-License-Identifier: MIT */
/*
 * A task without segments: one worker, which takes intents from the history instead of pages from
 * the source, for what limits an undo is the budget of the table. The pass is finished, and the
 * fills before it undone, only when every intent has its end.
 */
#include "sinks/dynamodb/undo/undo.h"

#include <stdlib.h>

#include "pipeline/item/decoder.h"
#include "pipeline/run/engine.h"

static struct undo *undo_of(struct task_worker *w)
{
    return ((struct undo_worker *)(void *)w)->undo;
}

/*
 * Pages go on in turn behind the one that was marked last, as they did in the process before:
 * so the intents it left behind are in the same segments again. The same histories are cut into
 * the same pages.
 */
static enum rc seek(struct undo *u, struct err *err)
{
    enum rc rc = RC_OK;
    struct buf before, after;
    buf_init(&before, BUF_NO_LIMIT);
    buf_init(&after, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < UNDO_PAGES && !rc; i++) {
        rc = history_seek(u->history, u->resumed.segments[i].resume, err);
        buf_clear(&after);
        if (!rc)
            rc = history_place(u->history, &after, err);
        if (!rc && !str_eq(buf_view(&before), buf_view(&after)))
            u->filling = u->oldest = (i + 1) % UNDO_PAGES;
        buf_clear(&before);
        buf_add_str(&before, buf_view(&after));
    }
    buf_release(&before);
    buf_release(&after);
    return rc;
}

static enum rc begin(struct undo *u, struct err *err)
{
    struct state *state = u->setup->state;
    journaled_writer_shared(&u->write, u->setup);
    arena_init(&u->scratch, 65536);
    u->decoder = decoder_new();
    if (!u->decoder)
        return err_nomem(err);
    enum rc rc = resume_point_read(&u->resumed, state, state_pass(state), 1, err);
    if (!rc)
        rc = history_open(state, &u->history, err);
    if (!rc)
        rc = undo_feed_init(u, err);
    return rc ? rc : seek(u, err);
}

static void end(struct undo *u)
{
    undo_feed_release(u);
    history_close(u->history);
    resume_point_release(&u->resumed);
    decoder_free(u->decoder);
    arena_release(&u->scratch);
    writer_shared_release(&u->write);
}

/* ---- the worker ----------------------------------------------------------------------------- */

static enum rc step(struct task_worker *w, enum task_phase phase, enum task_state *state,
                    struct err *err)
{
    struct undo *u = undo_of(w);
    if (!journaled_writer_stops(phase))
        undo_feed(u);
    return journaled_writer_step(&u->side, phase, !undo_feed_done(u), state, err);
}

static size_t fds(struct task_worker *w, struct pollfd *fds, size_t cap)
{
    return journaled_writer_fds(&undo_of(w)->side, fds, cap);
}

static int64_t due_us(const struct task_worker *w)
{
    return writer_due(((const struct undo_worker *)(const void *)w)->undo->side.writer);
}

static void close_worker(struct task_worker *w)
{
    journaled_writer_close(&undo_of(w)->side);
}

static struct task_worker *open_worker(struct task *task, struct reader *reader, uint32_t index,
                                       struct err *err)
{
    static const struct task_worker_ops WORKER_OPS = {
        .step = step, .fds = fds, .due_us = due_us, .close = close_worker};
    struct undo *u = (struct undo *)(void *)task;
    struct journaled_writer_config side = {.setup = u->setup,
                                           .shared = &u->write,
                                           .reader = reader,
                                           .index = index,
                                           .in_order = true,
                                           .ops = &undo_ops,
                                           .ctx = u};
    u->worker.base.ops = &WORKER_OPS;
    u->worker.undo = u;
    if (!journaled_writer_open(&u->side, &side, err))
        return &u->worker.base;
    journaled_writer_close(&u->side);
    return NULL;
}

/* ---- the task ------------------------------------------------------------------------------- */

static enum rc take_none(struct task *task, struct task_worker *w, uint32_t *segment,
                         struct err *err)
{
    (void)task, (void)w, (void)err;
    *segment = 0;
    return RC_END;
}

static void tick(struct task *task)
{
    const struct undo *u = (struct undo *)(void *)task;
    if (u->setup->tick)
        u->setup->tick(u->setup->tick_ctx, &u->progress, 1, u->setup);
}

static void sum_up(const struct undo *u)
{
    struct undo_result *out = u->out;
    struct source_usage usage = {0};
    uint64_t sums[FATES];
    for (int i = 0; i < FATES; i++)
        sums[i] = u->counts[i] + (u->resumed.counts ? u->resumed.counts[i] : 0);
    out->intents = u->history ? history_count(u->history) : 0;
    out->restored = sums[FATE_CHANGED];
    out->already = sums[FATE_ALREADY];
    out->conflicted = sums[FATE_CONFLICTED];
    out->failed = sums[FATE_FAILED];
    out->table_units = (double)u->write.table_units / (double)BUDGET_UNIT;
    out->index_units = (double)u->write.index_units / (double)BUDGET_UNIT;
    if (u->setup->source->ops->usage)
        u->setup->source->ops->usage(u->setup->source, &usage);
    out->throttles = usage.throttles;
    out->retries = usage.retries;
}

/* An undo that was asked to stop when its last intent was done has not been interrupted. */
static enum rc conclude(struct task *task, enum rc rc, bool stopped, struct err *err)
{
    const struct undo *u = (struct undo *)(void *)task;
    struct state *state = u->setup->state;
    uint64_t listed = 0;
    sum_up(u);
    if (!rc && stopped && !undo_feed_done(u))
        rc = err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    if (!rc)
        rc = history_list(state, state_pass(state), &listed, err);
    return rc ? rc : state_finish(state, err);
}

enum rc undo_run(const struct fill_setup *setup, struct undo_result *out, struct err *err)
{
    static const struct task_ops OPS = {
        .take = take_none, .worker = open_worker, .tick = tick, .conclude = conclude};
    struct engine_config config = {
        .source = setup->source, .workers = 1, .stop = setup->stop, .env = setup->env};
    int64_t start = setup->env->mono_us(setup->env->ctx);
    *out = (struct undo_result){0};
    struct undo *u = calloc(1, sizeof *u);
    if (!u)
        return err_nomem(err);
    u->task.ops = &OPS;
    u->setup = setup;
    u->out = out;
    enum rc rc = begin(u, err);
    if (!rc) {
        rc = engine_run(&u->task, &config, err);
    } else { /* the sums still tell what earlier processes did */
        rc = conclude(&u->task, rc, false, err);
    }
    end(u);
    free(u);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    return rc;
}
