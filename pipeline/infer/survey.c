/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/survey.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "pipeline/base/memory.h"
#include "pipeline/run/engine.h"
#include "pipeline/transform/transform.h"

/* What an item costs beside its bytes. */
enum { ITEM_COST = 64, WORKERS_MAX = 256 };

struct survey_task {
    struct task base; /* first */
    const struct infer_survey *survey;
    struct infer_sample *out;
    struct infer_sample *workers[WORKERS_MAX];
    uint32_t nworkers;
};

struct survey_worker {
    struct task_worker base; /* first */
    struct infer_sample *sample;
    struct transform *pass; /* NULL: every item is kept */
};

void survey_release(struct infer_sample *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->v[i].p);
    free(s->v);
    *s = (struct infer_sample){0};
}

/* Halves the threshold until the sample is within its budget. */
static void shrink(struct infer_sample *s)
{
    while (s->bytes > s->budget && s->n > 1) {
        size_t n = 0;
        s->threshold = s->threshold ? s->threshold / 2 : UINT64_MAX / 2 + 1;
        for (size_t i = 0; i < s->n; i++) {
            if (s->v[i].hash < s->threshold) {
                s->v[n++] = s->v[i];
                continue;
            }
            s->bytes -= s->v[i].n + ITEM_COST;
            free(s->v[i].p);
        }
        s->n = n;
    }
}

static bool below(const struct infer_sample *s, uint64_t hash)
{
    return s->threshold == 0 || hash < s->threshold;
}

enum rc survey_keep(struct infer_sample *s, struct infer_kept k, struct err *err)
{
    struct infer_kept *v = memory_push(s->v, s->n, &s->cap, 1024, sizeof *v);
    if (!v) {
        free(k.p);
        return err_nomem(err);
    }
    s->v = v;
    s->v[s->n++] = k;
    s->bytes += k.n + ITEM_COST;
    return RC_OK;
}

static enum rc add_owned(struct infer_sample *s, struct infer_kept k, struct err *err)
{
    enum rc rc = survey_keep(s, k, err);
    if (!rc)
        shrink(s);
    return rc;
}

static enum rc add(struct infer_sample *s, struct str raw, struct err *err)
{
    uint64_t hash = XXH3_64bits(raw.p, raw.n);
    s->read++;
    if (!below(s, hash))
        return RC_OK;
    char *p = malloc(raw.n + 1);
    if (!p)
        return err_nomem(err);
    memcpy(p, raw.p, raw.n);
    return add_owned(s, (struct infer_kept){hash, p, raw.n}, err);
}

static void note_fault(struct infer_sample *s, const char *fault)
{
    size_t n = strlen(fault);
    if (s->faults++ == 0) {
        n = n < sizeof s->fault - 1 ? n : sizeof s->fault - 1;
        memcpy(s->fault, fault, n);
        s->fault[n] = '\0';
    }
}

/* Not an item that became rows with nothing left over. */
static bool is_misfit(const struct transform_trace *t)
{
    if (t->item.n == 0)
        return false; /* no model loads it */
    bool misfit = t->fate == ITEM_REJECTED || t->fate == ITEM_UNROUTED;
    for (size_t i = 0; i < t->nrows && !misfit; i++)
        misfit = t->rows[i].nextra > 0;
    return misfit;
}

static enum rc add_misfit(struct survey_worker *w, struct str raw, struct err *err)
{
    struct transform_trace trace;
    enum rc rc = transform_one(w->pass, raw, &trace, err);
    if (!rc && is_misfit(&trace))
        rc = add(w->sample, raw, err);
    return rc;
}

static enum rc survey_page(struct task_worker *base, struct page *page, struct err *err)
{
    struct survey_worker *w = (struct survey_worker *)base;
    struct infer_sample *s = w->sample;
    size_t at = 0;
    struct str raw;
    const char *fault = NULL;
    enum rc rc = RC_OK;
    while (!rc && page_next(page, &at, &raw, &fault)) {
        if (fault) {
            note_fault(s, fault);
        } else {
            rc = w->pass ? add_misfit(w, raw, err) : add(s, raw, err);
        }
    }
    return rc;
}

static void worker_close(struct task_worker *base)
{
    transform_free(((struct survey_worker *)base)->pass);
    free(base);
}

static struct task_worker *worker_new(struct task *task, struct reader *reader, uint32_t index,
                                      struct err *err)
{
    static const struct task_worker_ops OPS = {.page = survey_page, .close = worker_close};
    struct survey_task *t = (struct survey_task *)task;
    (void)reader;
    if (index >= WORKERS_MAX) {
        (void)err_set(err, RC_USAGE, "too many workers");
        return NULL;
    }
    struct survey_worker *w = task_worker_new(sizeof *w, &OPS, err);
    if (!w)
        return NULL;
    w->sample = memory_new(sizeof *w->sample, err);
    if (w->sample && t->survey->plan) {
        w->pass = transform_new(
            t->survey->plan,
            &(struct transform_options){.keyless = true, .plain = t->survey->source->plain});
        if (!w->pass)
            (void)err_nomem(err);
    }
    if (!w->sample || (t->survey->plan && !w->pass)) {
        free(w->sample);
        free(w);
        return NULL;
    }
    w->sample->budget = t->survey->budget;
    t->workers[index] = w->sample;
    t->nworkers = index + 1 > t->nworkers ? index + 1 : t->nworkers;
    return &w->base;
}

static enum rc merge(struct infer_sample *out, struct infer_sample *s, struct err *err)
{
    enum rc rc = RC_OK;
    out->read += s->read;
    if (s->faults && !out->faults)
        memcpy(out->fault, s->fault, sizeof out->fault);
    out->faults += s->faults;
    if (s->threshold && (!out->threshold || s->threshold < out->threshold)) {
        out->threshold = s->threshold;
        size_t n = 0;
        for (size_t i = 0; i < out->n; i++) {
            if (below(out, out->v[i].hash)) {
                out->v[n++] = out->v[i];
                continue;
            }
            out->bytes -= out->v[i].n + ITEM_COST;
            free(out->v[i].p);
        }
        out->n = n;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!rc && below(out, s->v[i].hash)) {
            rc = add_owned(out, s->v[i], err);
        } else {
            free(s->v[i].p);
        }
    }
    free(s->v);
    *s = (struct infer_sample){0};
    return rc;
}

static int compare_kept(const void *a, const void *b)
{
    const struct infer_kept *x = a;
    const struct infer_kept *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return str_cmp(str_make(x->p, x->n), str_make(y->p, y->n));
}

void survey_sort(struct infer_sample *s)
{
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, compare_kept);
}

static enum rc conclude(struct task *task, enum rc rc, bool stopped, struct err *err)
{
    struct survey_task *t = (struct survey_task *)task;
    for (uint32_t i = 0; i < t->nworkers; i++) {
        if (!t->workers[i])
            continue;
        enum rc merged = merge(t->out, t->workers[i], err);
        rc = rc ? rc : merged;
        free(t->workers[i]);
    }
    survey_sort(t->out);
    if (!rc && stopped)
        return err_set(err, RC_CANCEL, "interrupted");
    return rc;
}

enum rc survey_run(const struct infer_survey *survey, struct infer_sample *out, struct err *err)
{
    static const struct task_ops OPS = {.worker = worker_new, .conclude = conclude};
    struct survey_task *t = memory_new(sizeof *t, err);
    *out = (struct infer_sample){.budget = survey->budget};
    if (!t)
        return RC_NOMEM;
    t->base.ops = &OPS;
    t->survey = survey;
    t->out = out;
    struct engine_config config = {.source = survey->source,
                                   .workers = survey->workers,
                                   .stop = survey->stop,
                                   .env = &env_real};
    enum rc rc = engine_run(&t->base, &config, err);
    free(t);
    if (rc)
        survey_release(out);
    return rc;
}
