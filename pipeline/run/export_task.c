/* SPDX-License-Identifier: MIT */
/* What an export asks its sink for a segment, and what its workers came to. */
#include <stdlib.h>

#include "pipeline/run/engine.h"
#include "pipeline/run/export_private.h"

static struct export_task *self(struct task *base)
{
    return (struct export_task *)(void *)base;
}

static enum rc task_claim(struct task *base, struct task_worker *worker, uint32_t segment,
                          struct claim *claim, struct err *err)
{
    struct sink *sink = self(base)->setup->sink;
    struct export_worker *w = (struct export_worker *)(void *)worker;
    *claim = (struct claim){.state = CLAIM_DONE};
    enum rc rc = sink->ops->claim(sink, segment, claim, err);
    if (!rc && claim->state == CLAIM_MINE && marks_add(&w->marks, segment, claim->epoch))
        rc = err_nomem(err);
    return rc;
}

static enum rc task_take(struct task *base, struct task_worker *worker, uint32_t *segment,
                         struct err *err)
{
    struct export_task *t = self(base);
    struct source *source = t->setup->source;
    if (!t->left)
        return source->ops->take(source, worker->reader, segment, err);
    (void)pthread_mutex_lock(&t->mu);
    bool some = t->taken < t->left->n;
    if (some)
        *segment = t->left->v[t->taken++];
    (void)pthread_mutex_unlock(&t->mu);
    return some ? RC_OK : RC_END;
}

static struct task_worker *task_worker(struct task *base, struct reader *reader, uint32_t index,
                                       struct err *err)
{
    (void)reader;
    return export_worker_new(self(base), index, err);
}

static void task_tick(struct task *base)
{
    struct export_task *t = self(base);
    const struct run_setup *setup = t->setup;
    if (setup->tick)
        setup->tick(setup->tick_ctx, t->progress, setup->workers, &t->out->state);
}

enum rc export_interrupted(const struct run_setup *setup, struct err *err)
{
    if (setup->source->resumable)
        return err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
    (void)err_set(err, RC_CANCEL, "interrupted");
    return err_hint(err, "%.*s cannot be read again from where it stopped: begin anew",
                    STR_FMT(setup->source->description));
}

static enum rc task_conclude(struct task *base, enum rc rc, bool stopped, struct err *err)
{
    struct export_task *t = self(base);
    struct source *source = t->setup->source;
    struct run_result *out = t->out;
    out->idle_us += base->idle_us;
    out->busy_us += base->busy_us;
    for (uint32_t i = 0; i < t->ncounters; i++)
        out->counters[i] += t->counters[i];
    for (uint32_t i = 0; i < t->setup->workers; i++)
        out->segments += (uint32_t)atomic_load(&t->progress[i].segments);
    /* whoever asked to stop does not want to hear of trouble that waiting might have healed */
    if ((!rc || rc == RC_TRANSIENT) && stopped)
        rc = export_interrupted(t->setup, err);
    if (!rc && source->ops->confirm)
        rc = source->ops->confirm(source, err);
    return rc;
}

static void seed_fit(struct model_fit *fit, const struct run_state *state)
{
    const uint64_t *c = state->counters;
    fit->became = "were rejected";
    fit->hint = "this model does not fit this source: try \"renorm check MODEL SOURCE\"";
    if (state->resumed && c)
        model_fit_seed(fit, c[CNT_READ], c[CNT_REJECTED] + c[CNT_UNROUTED]);
}

enum rc export_read(const struct run_setup *setup, struct run_result *out,
                    const struct claim_list *left, struct err *err)
{
    static const struct task_ops OPS = {.take = task_take,
                                        .claim = task_claim,
                                        .worker = task_worker,
                                        .tick = task_tick,
                                        .conclude = task_conclude};
    struct export_task t = {.base = {.ops = &OPS}, .setup = setup, .out = out, .left = left};
    struct engine_config config = {.source = setup->source,
                                   .workers = setup->workers,
                                   .stop = setup->stop,
                                   .env = setup->env};
    seed_fit(&t.fit, &out->state);
    t.ncounters = schema_counters(&setup->plan->schema);
    t.progress = calloc((size_t)setup->workers + 1, sizeof *t.progress);
    t.counters = calloc(t.ncounters, sizeof *t.counters);
    (void)pthread_mutex_init(&t.mu, NULL);
    enum rc rc = t.progress && t.counters ? engine_run(&t.base, &config, err) : err_nomem(err);
    (void)pthread_mutex_destroy(&t.mu);
    free(t.counters);
    free(t.progress);
    return rc;
}
