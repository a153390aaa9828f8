/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/propose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/infer/text/model_writer.h"
#include "pipeline/infer/text/repair.h"
#include "pipeline/item/decoder.h"

/* MISFITS: bytes of the items that a pass over a large source may add. */
enum { ROUNDS_MAX = 12, PASSES_MAX = 3, MISFITS = 4 << 20 };

static enum rc decode(struct infer_result *r, struct err *err)
{
    struct infer_design *d = &r->design;
    struct decoder *decoder = decoder_new();
    enum rc rc = decoder ? RC_OK : err_nomem(err);
    d->items = arena_array(&d->arena, r->sample.n + 1, sizeof *d->items);
    rc = !rc && !d->items ? err_nomem(err) : rc;
    if (!rc)
        decoder_set_form(decoder, r->design.plain ? DECODER_PLAIN : DECODER_TYPED);
    for (size_t i = 0; !rc && i < r->sample.n; i++) {
        struct fault why = {0};
        struct str raw = str_make(r->sample.v[i].p, r->sample.v[i].n);
        enum rc one = item_decode(decoder, raw, &d->arena, &d->items[d->nitems], &why);
        if (one == RC_NOMEM)
            rc = err_nomem(err);
        d->nitems += !one;
        if (one && r->undecodable++ == 0)
            (void)snprintf(r->reason, sizeof r->reason, "%s: %s", why.reason, why.detail);
    }
    decoder_free(decoder);
    return rc;
}

static enum rc write_model(struct infer_result *r, struct str name, struct err *err)
{
    buf_clear(&r->model);
    model_writer_print(&r->design, name, &r->model);
    return r->design.failed ? err_nomem(err) : buf_check(&r->model, err);
}

/* From the sample to a model that takes all of it. */
static enum rc build(struct infer_result *r, const struct infer_survey *survey, struct str name,
                     struct err *err)
{
    infer_release(&r->design);
    infer_init(&r->design);
    r->design.plain = survey->source->plain;
    r->undecodable = 0;
    for (size_t i = 0; i < survey->source->nkey && i < INFER_KEYS_MAX; i++) {
        struct str key = arena_dup(&r->design.arena, survey->source->key[i]);
        if (!key.p)
            return err_nomem(err);
        r->design.key[r->design.nkey++] = key;
    }
    enum rc rc = decode(r, err);
    if (!rc && r->design.nitems == 0)
        return err_set(err, RC_USAGE, "there are no items to infer a model from");
    r->design.read = r->sample.read;
    if (!rc)
        rc = infer_decide(&r->design, err);
    if (!rc)
        rc = write_model(r, name, err);
    bool again = !rc;
    for (int round = 0; again && round < ROUNDS_MAX; round++) {
        rc = repair_round(&r->design, buf_view(&r->model), &again, err);
        if (!rc && again)
            rc = write_model(r, name, err);
        again = again && !rc;
    }
    return rc;
}

static int compare_hash(const void *key, const void *kept)
{
    uint64_t hash = *(const uint64_t *)key;
    const struct infer_kept *k = kept;
    return (hash > k->hash) - (hash < k->hash);
}

/* Puts items to the sample that it does not have. */
static enum rc take_in(struct infer_sample *s, struct infer_sample *more, bool *some,
                       struct err *err)
{
    enum rc rc = RC_OK;
    size_t had = s->n;
    for (size_t i = 0; i < more->n; i++) {
        bool known = bsearch(&more->v[i].hash, s->v, had, sizeof *s->v, compare_hash) != NULL;
        if (rc || known) {
            free(more->v[i].p);
            continue;
        }
        rc = survey_keep(s, more->v[i], err);
        *some = true;
    }
    survey_sort(s);
    more->n = 0;
    survey_release(more);
    return rc;
}

/* Runs the model over the whole source; *some: there are items that it does not fit. */
static enum rc try_all(struct infer_result *r, struct infer_survey *survey, bool *some,
                       struct err *err)
{
    struct repair_trial trial;
    struct infer_sample misfits;
    *some = false;
    enum rc rc = repair_open(&trial, buf_view(&r->model), err);
    if (!rc)
        rc = survey->again(survey, err);
    struct infer_survey second = *survey;
    second.plan = trial.plan;
    second.budget = MISFITS;
    if (!rc)
        rc = survey_run(&second, &misfits, err);
    if (!rc)
        rc = take_in(&r->sample, &misfits, some, err);
    repair_close(&trial);
    return rc;
}

enum rc propose_model(struct infer_survey *survey, struct str name, struct infer_result *out,
                      struct err *err)
{
    *out = (struct infer_result){0};
    infer_init(&out->design);
    buf_init(&out->model, (size_t)64 << 20);
    enum rc rc = survey_run(survey, &out->sample, err);
    if (!rc)
        rc = build(out, survey, name, err);
    bool some = out->sample.threshold != 0 && survey->again;
    for (int round = 0; !rc && some && round < PASSES_MAX; round++) {
        rc = try_all(out, survey, &some, err);
        if (!rc && some)
            rc = build(out, survey, name, err);
    }
    out->untried = out->sample.threshold != 0 && (some || !survey->again);
    return rc;
}

void propose_release(struct infer_result *r)
{
    infer_release(&r->design);
    survey_release(&r->sample);
    buf_release(&r->model);
}
