/* SPDX-License-Identifier: MIT */
/* Every segment is new, every commit succeeds at once, rows and rejects are only counted. */
#include "sinks/null.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/memory.h"
#include "pipeline/profile/distinct.h"
#include "pipeline/row/key_repeats.h"
#include "pipeline/row/reduce/candidate.h"

struct null_sink {
    struct sink base;
    const struct schema *schema; /* borrowed */
    pthread_mutex_t mu;          /* guards what follows */
    uint64_t *counters;          /* sums of what was committed */
    uint64_t *start;             /* zeros, as a run's state */
    struct reasons reasons;
    struct extras extras;
    struct distinct *keys; /* by table: of those that bring copies together */
    struct key_repeats repeats;
};

struct null_worker {
    struct sink_worker base;
    struct null_sink *s;
    struct distinct *keys; /* the worker's own */
    struct buf key;
};

static enum rc null_open(struct sink *base, const struct run_info *info,
                         struct run_state *state, struct err *err)
{
    struct null_sink *s = (struct null_sink *)base;
    s->schema = info->schema;
    s->counters = calloc(schema_counters(s->schema), sizeof *s->counters);
    s->start = calloc(schema_counters(s->schema), sizeof *s->start);
    s->keys = calloc((size_t)s->schema->ntables + 1, sizeof *s->keys);
    if (!s->counters || !s->start || !s->keys || extras_init(&s->extras, s->schema, true))
        return err_nomem(err);
    if (key_repeats_init(&s->repeats, s->schema, KEY_REPEATS_KEYS, err))
        return err->rc;
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

/* Does the table bring copies together, so that its rows are its keys? */
static bool brings_together(const struct schema *s, uint32_t table)
{
    for (uint32_t i = 0; i < s->nextracts; i++) {
        if (s->extracts[i].into == table)
            return true;
    }
    return false;
}

static enum rc count_key(struct null_worker *w, const struct row *row, struct err *err)
{
    const struct table *t = &w->s->schema->tables[row->table];
    struct buf json;
    buf_clear(&w->key);
    buf_init(&json, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < t->nkey; i++) {
        const struct datum *cell = &row->cells[t->key[i]];
        buf_clear(&json);
        if (cell->state != DATUM_MISSING)
            datum_json(&json, t->columns[t->key[i]].type, cell);
        candidate_key_add(&w->key, buf_view(&json));
    }
    enum rc rc = json.rc ? json.rc : w->key.rc;
    buf_release(&json);
    return rc || distinct_add(&w->keys[row->table], buf_view(&w->key)) ? err_nomem(err) : RC_OK;
}

static enum rc count_keys(struct null_worker *w, const struct batch *batch, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; !rc && w->s->schema->nextracts && i < batch->nrows; i++) {
        if (brings_together(w->s->schema, batch->rows[i].table))
            rc = count_key(w, &batch->rows[i], err);
    }
    return rc;
}

/* lock: s->mu is taken and left, for pages with rejects */
static enum rc null_rows(struct sink_worker *w, const struct batch *batch, struct err *err)
{
    struct null_sink *s = ((struct null_worker *)w)->s;
    enum rc rc = count_keys((struct null_worker *)w, batch, err);
    for (size_t i = 0; !rc && i < batch->nrows; i++)
        rc = key_repeats_add(&s->repeats, &batch->rows[i]) ? err_nomem(err) : RC_OK;
    if (rc || batch->nrejects == 0)
        return rc;
    pthread_mutex_lock(&s->mu);
    for (size_t i = 0; !rc && i < batch->nrejects; i++)
        rc = reasons_count(&s->reasons, &batch->rejects[i], batch->segment, err);
    pthread_mutex_unlock(&s->mu);
    return rc;
}

/* lock: s->mu is taken and left */
static enum rc null_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                           enum commit_outcome *outcome, struct err *err)
{
    *outcome = COMMIT_DONE;
    struct null_sink *s = ((struct null_worker *)base)->s;
    enum rc rc = RC_OK;
    pthread_mutex_lock(&s->mu);
    if (n && marks[0].extras && extras_merge(&s->extras, marks[0].extras))
        rc = err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t c = 0; marks[i].counters && c < schema_counters(s->schema); c++)
            s->counters[c] += marks[i].counters[c];
    }
    pthread_mutex_unlock(&s->mu);
    return rc;
}

/* thread: main. What the worker counted joins what the others did; a failure of memory, which the
   interface cannot tell here, leaves a number too small. */
static void null_worker_close(struct sink_worker *base)
{
    struct null_worker *w = (struct null_worker *)base;
    for (uint32_t i = 0; w->keys && i < w->s->schema->ntables; i++) {
        (void)!distinct_merge(&w->s->keys[i], &w->keys[i]);
        distinct_release(&w->keys[i]);
    }
    free(w->keys);
    buf_release(&w->key);
    free(w);
}

static const struct sink_worker_ops WORKER_OPS = {
    .rows = null_rows,
    .commit = null_commit,
    .close = null_worker_close,
};

static struct sink_worker *null_worker_new(struct sink *base, uint32_t index, struct err *err)
{
    (void)index;
    struct null_worker *w = memory_new(sizeof *w, err);
    if (!w)
        return NULL;
    w->base.ops = &WORKER_OPS;
    w->s = (struct null_sink *)base;
    buf_init(&w->key, BUF_NO_LIMIT);
    w->keys = memory_new((w->s->schema->ntables + 1) * sizeof *w->keys, err);
    if (w->keys)
        return &w->base;
    free(w);
    return NULL;
}

static enum rc null_extras(struct sink *base, struct extras *out, struct err *err)
{
    return extras_merge(out, &((struct null_sink *)base)->extras) ? err_nomem(err) : RC_OK;
}

static enum rc null_finish(struct sink *base, struct verdict *v, struct sink_report *report,
                           struct err *err)
{
    (void)v;
    (void)err;
    const struct null_sink *s = (struct null_sink *)base;
    for (uint32_t i = 0; report->tables && i < s->schema->ntables; i++) {
        bool exact = true;
        uint64_t rows = brings_together(s->schema, i) ? distinct_count(&s->keys[i], &exact)
                                                      : s->counters[CNT_FIXED + i];
        report->tables[i] = (struct table_total){.rows = rows};
        if (!exact) {
            (void)snprintf(report->note, sizeof report->note,
                           "rows of tables that bring copies together: about so many");
        }
    }
    return RC_OK;
}

static enum rc null_publish(struct sink *base, struct verdict *v, struct sink_report *report,
                            struct err *err)
{
    (void)v;
    (void)err;
    report->published = true;
    struct null_sink *s = (struct null_sink *)base;
    reasons_sort(&s->reasons);
    report->reasons = &s->reasons;
    return RC_OK;
}

/* Not before: only now it is known whether examples are wanted. */
static void null_explain(struct sink *base, struct sink_report *report)
{
    const struct null_sink *s = (struct null_sink *)base;
    sink_note_repeats(report, &s->repeats);
}

static void null_close(struct sink *base)
{
    struct null_sink *s = (struct null_sink *)base;
    pthread_mutex_destroy(&s->mu);
    free(s->counters);
    free(s->start);
    reasons_release(&s->reasons);
    extras_release(&s->extras);
    for (uint32_t i = 0; s->keys && i < s->schema->ntables; i++)
        distinct_release(&s->keys[i]);
    free(s->keys);
    if (s->schema)
        key_repeats_release(&s->repeats);
    free(s);
}

static const struct sink_ops OPS = {
    .open = null_open,
    .claim = null_claim,
    .worker = null_worker_new,
    .extras = null_extras,
    .finish = null_finish,
    .publish = null_publish,
    .explain = null_explain,
    .close = null_close,
};

struct sink *null_sink_new(void)
{
    struct null_sink *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->base = (struct sink){
        .ops = &OPS, .kind = "null", .effect = SINK_ADDS, .keyless = true, .keep_nulls = true};
    pthread_mutex_init(&s->mu, NULL);
    return &s->base;
}
