/* SPDX-License-Identifier: MIT */
/* Every segment is new, every commit succeeds at once, rows and rejects are only counted. */
#include "sinks/null_sink.h"

#include <pthread.h>
#include <stdlib.h>

struct null_sink {
    struct sink base;
    const struct schema *schema; /* borrowed */
    pthread_mutex_t mu;          /* guards counters and reasons */
    uint64_t *counters;          /* sums of what was committed */
    uint64_t *start;             /* zeros, as a run's state */
    struct reasons reasons;
};

struct null_worker {
    struct sink_worker base;
    struct null_sink *s;
};

static enum rc null_open(struct sink *base, const struct run_info *info,
                         struct run_state *state, struct err *err)
{
    struct null_sink *s = (struct null_sink *)base;
    s->schema = info->schema;
    s->counters = calloc(schema_counters(s->schema), sizeof *s->counters);
    s->start = calloc(schema_counters(s->schema), sizeof *s->start);
    if (!s->counters || !s->start)
        return err_nomem(err);
    *state = (struct run_state){
        .now_us = info->now_us, .counters = s->start, .segments = info->segments};
    return RC_OK;
}

static enum rc null_claim(struct sink *base, uint32_t segment, struct claim *claim,
                          struct err *err)
{
    (void)base;
    (void)segment;
    (void)err;
    *claim = (struct claim){.state = CLAIM_MINE, .epoch = 1};
    return RC_OK;
}

/* lock: s->mu is taken and left, for pages with rejects */
static enum rc null_rows(struct sink_worker *w, const struct batch *batch, struct err *err)
{
    struct null_sink *s = ((struct null_worker *)w)->s;
    enum rc rc = RC_OK;
    if (batch->nrejects == 0)
        return RC_OK;
    pthread_mutex_lock(&s->mu);
    for (size_t i = 0; rc == RC_OK && i < batch->nrejects; i++)
        rc = reasons_count(&s->reasons, &batch->rejects[i], batch->segment, err);
    pthread_mutex_unlock(&s->mu);
    return rc;
}

static bool null_full(const struct sink_worker *w)
{
    (void)w;
    return false;
}

/* lock: s->mu is taken and left */
static enum rc null_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                           struct err *err)
{
    (void)err;
    struct null_sink *s = ((struct null_worker *)base)->s;
    pthread_mutex_lock(&s->mu);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t c = 0; marks[i].counters && c < schema_counters(s->schema); c++)
            s->counters[c] += marks[i].counters[c];
    }
    pthread_mutex_unlock(&s->mu);
    return RC_OK;
}

static enum rc null_step(struct sink_worker *w, struct err *err)
{
    (void)w;
    (void)err;
    return RC_OK;
}

static size_t null_fds(struct sink_worker *w, struct pollfd *fds, size_t cap)
{
    (void)w;
    (void)fds;
    (void)cap;
    return 0;
}

static void null_worker_close(struct sink_worker *w)
{
    free(w);
}

static const struct sink_worker_ops WORKER_OPS = {
    .rows = null_rows,
    .full = null_full,
    .commit = null_commit,
    .step = null_step,
    .fds = null_fds,
    .close = null_worker_close,
};

static struct sink_worker *null_worker_new(struct sink *base, uint32_t index, struct err *err)
{
    (void)index;
    struct null_worker *w = calloc(1, sizeof *w);
    if (!w) {
        (void)err_nomem(err);
        return NULL;
    }
    w->base.ops = &WORKER_OPS;
    w->s = (struct null_sink *)base;
    return &w->base;
}

static enum rc null_finish(struct sink *base, const struct verdict *v,
                           struct sink_report *report, struct err *err)
{
    (void)v;
    (void)err;
    const struct null_sink *s = (struct null_sink *)base;
    for (uint32_t i = 0; report->tables && i < s->schema->ntables; i++)
        report->tables[i] = (struct table_total){.rows = s->counters[CNT_FIXED + i]};
    return RC_OK;
}

static enum rc null_publish(struct sink *base, const struct verdict *v,
                            struct sink_report *report, struct err *err)
{
    (void)v;
    (void)err;
    report->published = true;
    struct null_sink *s = (struct null_sink *)base;
    reasons_sort(&s->reasons);
    report->reasons = &s->reasons;
    return RC_OK;
}

static void null_close(struct sink *base)
{
    struct null_sink *s = (struct null_sink *)base;
    pthread_mutex_destroy(&s->mu);
    free(s->counters);
    free(s->start);
    reasons_release(&s->reasons);
    free(s);
}

static const struct sink_ops OPS = {
    .open = null_open,
    .claim = null_claim,
    .worker = null_worker_new,
    .finish = null_finish,
    .publish = null_publish,
    .close = null_close,
};

struct sink *null_sink_new(void)
{
    struct null_sink *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->base = (struct sink){.ops = &OPS, .kind = "null", .keyless = true, .keep_nulls = true};
    pthread_mutex_init(&s->mu, NULL);
    return &s->base;
}
