/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/propose.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/infer/text/model_writer.h"
#include "pipeline/infer/text/repair.h"
#include "pipeline/item/decoder.h"

enum { ROUNDS_MAX = 12 };

static enum rc decode(struct infer_result *r, struct err *err)
{
    struct infer_design *d = &r->design;
    struct decoder *decoder = decoder_new();
    enum rc rc = decoder ? RC_OK : err_nomem(err);
    d->items = arena_array(&d->arena, r->sample.n + 1, sizeof *d->items);
    rc = !rc && !d->items ? err_nomem(err) : rc;
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

enum rc propose_model(const struct infer_survey *survey, struct str name,
                      struct infer_result *out, struct err *err)
{
    *out = (struct infer_result){0};
    infer_init(&out->design);
    buf_init(&out->model, (size_t)64 << 20);
    for (size_t i = 0; i < survey->source->nkey && i < INFER_KEYS_MAX; i++)
        out->design.key[out->design.nkey++] = survey->source->key[i];
    enum rc rc = survey_run(survey, &out->sample, err);
    if (!rc)
        rc = decode(out, err);
    if (!rc && out->design.nitems == 0)
        return err_set(err, RC_USAGE, "there are no items to infer a model from");
    out->design.read = out->sample.read;
    if (!rc)
        rc = infer_decide(&out->design, err);
    if (!rc)
        rc = write_model(out, name, err);
    bool again = !rc;
    for (int round = 0; again && round < ROUNDS_MAX; round++) {
        rc = repair_round(&out->design, buf_view(&out->model), &again, err);
        out->repairs += again;
        if (!rc && again)
            rc = write_model(out, name, err);
        again = again && !rc;
    }
    return rc;
}

void propose_release(struct infer_result *r)
{
    infer_release(&r->design);
    survey_release(&r->sample);
    buf_release(&r->model);
}
