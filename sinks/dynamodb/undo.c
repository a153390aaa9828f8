/* SPDX-License-Identifier: MIT */
/*
 * One thread, one event loop: what limits an undo is the budget of the table. The pass is
 * finished, and the fills before it undone, only when every intent has its end.
 */
#include "sinks/dynamodb/undo.h"

#include <stdlib.h>

#include "pipeline/item/decode.h"
#include "pipeline/source/scan.h"

enum { WAIT_MS = 100, MAX_TRIES = 5 };

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
        rc = history_seek(u->history, u->standing.segments[i].resume, err);
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

static enum rc open_writer(struct undo *u, struct err *err)
{
    struct source *source = u->setup->source;
    u->reader = source->ops->reader(source, err);
    if (!u->reader)
        return err->rc;
    enum rc rc = journal_open(u->setup->state, 0, &u->journal, err);
    struct writer_config config = {.shared = &u->write,
                                   .loop = scan_reader_loop(u->reader),
                                   .journal = u->journal,
                                   .in_flight = u->setup->in_flight,
                                   .max_tries = MAX_TRIES,
                                   .ops = &undo_ops,
                                   .ctx = u};
    return rc ? rc : writer_new(&config, &u->writer, err);
}

static enum rc begin(struct undo *u, const struct fill_setup *setup, struct err *err)
{
    struct scan_facts facts = scan_facts(setup->source);
    u->setup = setup;
    write_shared_init(&u->write);
    u->write.ddb = scan_ddb(setup->source);
    u->write.reads = scan_budget(setup->source);
    u->write.writes = setup->writes;
    u->write.table = facts.table->name;
    u->write.facts = facts.table;
    u->write.pk = facts.table->schema.keys[0].name;
    u->write.env = setup->env;
    arena_init(&u->scratch, 65536);
    u->decoder = decoder_new();
    if (!u->decoder)
        return err_nomem(err);
    enum rc rc = standing_read(&u->standing, setup->state, state_pass(setup->state), 1, err);
    if (!rc)
        rc = history_open(setup->state, &u->history, err);
    if (!rc)
        rc = undo_feed_init(u, err);
    if (!rc)
        rc = seek(u, err);
    return rc ? rc : open_writer(u, err);
}

static void end(struct undo *u)
{
    writer_free(u->writer);
    journal_close(u->journal);
    if (u->reader)
        u->reader->ops->free(u->reader);
    undo_feed_release(u);
    history_close(u->history);
    standing_release(&u->standing);
    decoder_free(u->decoder);
    arena_release(&u->scratch);
    write_shared_release(&u->write);
}

static int timeout_ms(const struct undo *u)
{
    const struct env *env = u->setup->env;
    int64_t due = writer_due(u->writer);
    if (due == INT64_MAX)
        return WAIT_MS;
    int64_t left = due - env->mono_us(env->ctx);
    int64_t ms = left > 0 ? (left + 999) / 1000 : 0;
    return ms < WAIT_MS ? (int)ms : WAIT_MS;
}

static enum rc wait(struct undo *u, struct err *err)
{
    struct pollfd fd = {.fd = journal_fd(u->journal), .events = POLLIN};
    bool busy = journal_busy(u->journal);
    return u->reader->ops->wait(u->reader, &fd, busy, timeout_ms(u), err);
}

static enum rc step(struct undo *u, bool stop, struct err *err)
{
    enum rc rc = writer_step(u->writer, stop, err);
    if (!rc && u->err.rc) {
        *err = u->err;
        rc = err->rc;
    }
    return rc;
}

static enum rc tick(struct undo *u, struct err *err)
{
    const struct fill_setup *setup = u->setup;
    if (setup->tick)
        setup->tick(setup->tick_ctx, &u->progress, 1, setup);
    return setup->source->ops->tick ? setup->source->ops->tick(setup->source, err) : RC_OK;
}

static enum rc work(struct undo *u, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && !atomic_load(u->setup->stop)) {
        rc = step(u, false, err);
        if (rc || undo_feed_done(u))
            break;
        rc = tick(u, err);
        if (!rc)
            rc = wait(u, err);
    }
    bool stopped = !rc && !undo_feed_done(u);
    while (!rc && stopped) { /* what is in flight comes to its end */
        rc = step(u, true, err);
        if (rc || writer_pending(u->writer) == 0)
            break;
        rc = wait(u, err);
    }
    struct err late = {0};
    enum rc flushed = journal_flush(u->journal, &late);
    if (!rc && flushed) {
        *err = late;
        rc = flushed;
    }
    if (!rc && stopped)
        rc = err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    return rc;
}

static void sum_up(const struct undo *u, struct undo_result *out)
{
    struct source_usage usage = {0};
    uint64_t sums[FATES];
    for (int i = 0; i < FATES; i++)
        sums[i] = u->counts[i] + (u->standing.counts ? u->standing.counts[i] : 0);
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

static enum rc conclude(struct state *s, struct err *err)
{
    uint64_t listed = 0;
    enum rc rc = history_list(s, state_pass(s), &listed, err);
    return rc ? rc : state_finish(s, err);
}

enum rc undo_run(const struct fill_setup *setup, struct undo_result *out, struct err *err)
{
    int64_t start = setup->env->mono_us(setup->env->ctx);
    *out = (struct undo_result){0};
    struct undo *u = calloc(1, sizeof *u);
    if (!u)
        return err_nomem(err);
    enum rc rc = begin(u, setup, err);
    if (!rc)
        rc = work(u, err);
    sum_up(u, out);
    if (!rc)
        rc = conclude(setup->state, err);
    end(u);
    free(u);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    return rc;
}
