/* SPDX-License-Identifier: MIT */
/* The first MAX_ITEMS items decide. index_attributes knows what to look for in them. */
#include "cmd/print/advice.h"

#include <inttypes.h>

#include "cmd/print/plain.h"
#include "pipeline/base/env.h"
#include "pipeline/run/items.h"
#include "pipeline/transform/index_attributes.h"
#include "pipeline/transform/key_doubts.h"

enum { MAX_ITEMS = 100000 };

struct advice {
    struct transform *transform;
    struct index_attributes *seen;
    struct key_doubts doubts;
    uint64_t items;
    const atomic_bool *stop;
};

static enum rc one_item(void *ctx, struct str raw, const char *fault, struct err *err)
{
    struct advice *a = ctx;
    struct transform_trace t;
    if (fault)
        return RC_OK;
    if (a->items++ >= MAX_ITEMS)
        return RC_END;
    if (a->stop && atomic_load(a->stop))
        return err_set(err, RC_CANCEL, "interrupted");
    enum rc rc = transform_one(a->transform, raw, &t, err);
    if (!rc)
        rc = key_doubts_add(&a->doubts, &t, err);
    return !rc ? index_attributes_add(a->seen, &t, err) : rc;
}

static void tell_pairs(const struct index_entity *e, struct str entity, struct buf *out)
{
    for (uint32_t i = 0; i < e->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (index_attributes_equal(e, i, k)) {
                buf_addf(out,
                         "advice: %.*s: \"%.*s\" and \"%.*s\" always hold the same value: "
                         "one attribute could serve both indexes\n",
                         STR_FMT(entity), STR_FMT(e->v[k].name), STR_FMT(e->v[i].name));
            }
        }
    }
}

static void tell_entity(const struct index_entity *e, struct str name, struct str type,
                        struct buf *out)
{
    if (e->untyped) {
        buf_addf(out,
                 "advice: %.*s: %" PRIu64 " of %" PRIu64
                 " items have no \"%.*s\": a backfill could add it\n",
                 STR_FMT(name), e->untyped, e->items, STR_FMT(type));
    }
    for (uint32_t k = 0; k < e->n; k++) {
        if (!e->v[k].alone)
            continue;
        buf_addf(out, "advice: %.*s: \"%.*s\" says something no column says, as in \"",
                 STR_FMT(name), STR_FMT(e->v[k].name));
        plain_add(out, e->v[k].example, 200);
        buf_puts(out, "\": give it a key template or a column\n");
    }
    tell_pairs(e, name, out);
}

static void tell_example(struct str example, struct buf *out)
{
    if (example.n) {
        buf_puts(out, ", as in \"");
        plain_add(out, example, 200);
        buf_putc(out, '"');
    }
}

static void tell_doubts(const struct key_doubts *d, struct buf *out)
{
    const struct entity *e = d->plan->model->entities;
    for (uint32_t i = 0; i < d->nswallows; i++) {
        const struct key_swallow *s = &d->swallows[i];
        buf_addf(
            out,
            "advice: %.*s: the part \"%.*s\" of %.*s \"%.*s\" holds its separator \"%.*s\" "
            "in %" PRIu64 " item%s",
            STR_FMT(e[s->entity].name), STR_FMT(s->part->text), STR_FMT(s->key->attribute),
            STR_FMT(s->key->tpl.text), STR_FMT(s->separator), s->items,
            s->items == 1 ? "" : "s");
        tell_example(s->example, out);
        buf_addf(out,
                 ": {%.*s:no-sep} refuses such items, {%.*s:sep} says that they are right\n",
                 STR_FMT(s->part->text), STR_FMT(s->part->text));
    }
    for (uint32_t i = 0; i < d->noverlaps; i++) {
        const struct key_overlap *o = &d->overlaps[i];
        buf_addf(out,
                 "advice: %.*s: %" PRIu64 " item%s %.*s would take, too, which comes later",
                 STR_FMT(e[o->entity].name), o->items, o->items == 1 ? " that" : "s that",
                 STR_FMT(e[o->later].name));
        tell_example(o->example, out);
        buf_puts(out, ": the first in the model's order has them\n");
    }
}

/* The source is opened a second time, for its first items. */
static enum rc look(struct advice *a, const struct options *o, struct err *err)
{
    struct job again;
    job_init(&again);
    enum rc rc = job_source(&again, o->words + 1, o->nwords - 1, o, err);
    if (!rc)
        rc = items_walk(again.source, one_item, a, err);
    job_release(&again);
    return rc;
}

enum rc advice_give(struct job *job, const struct options *o, struct buf *out, struct err *err)
{
    if (!job->source->resumable)
        return RC_OK; /* standard input cannot be read twice */
    struct advice a = {.stop = job->stop, .seen = index_attributes_new(job->plan)};
    key_doubts_init(&a.doubts, job->plan);
    int64_t now_us = 0;
    enum rc rc = job_now(o, &now_us, err);
    a.transform = transform_new(
        job->plan, &(struct transform_options){.now_us = now_us,
                                               .mask_key = buf_view(&job->mask_key),
                                               .keyless = true});
    if (!a.seen || !a.transform)
        rc = err_nomem(err);
    if (!rc)
        rc = look(&a, o, err);
    const struct model *m = job->plan->model;
    for (uint32_t i = 0; !rc && i < m->nentities; i++)
        tell_entity(index_attributes_of(a.seen, i), m->entities[i].name, job->plan->type, out);
    if (!rc)
        tell_doubts(&a.doubts, out);
    key_doubts_release(&a.doubts);
    transform_free(a.transform);
    index_attributes_free(a.seen);
    return !rc ? buf_check(out, err) : rc;
}
