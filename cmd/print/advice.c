/* SPDX-License-Identifier: MIT */
/* The first MAX_ITEMS items decide. index_attributes knows what to look for in them. */
#include "cmd/print/advice.h"

#include "cmd/print/advice_lines.h"
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

static enum rc one_item(void *ctx, const struct walked_item *item, struct err *err)
{
    struct advice *a = ctx;
    struct transform_trace t;
    if (item->fault)
        return RC_OK;
    if (a->items++ >= MAX_ITEMS)
        return RC_END;
    if (a->stop && atomic_load(a->stop))
        return err_set(err, RC_CANCEL, "interrupted");
    transform_from(a->transform, item->part);
    enum rc rc = transform_one(a->transform, item->raw, &t, err);
    if (!rc)
        rc = key_doubts_add(&a->doubts, &t, err);
    return !rc ? index_attributes_add(a->seen, &t, err) : rc;
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
                                               .plain = job->source->plain,
                                               .keyless = true});
    if (!a.seen || !a.transform)
        rc = err_nomem(err);
    if (!rc)
        rc = look(&a, o, err);
    struct advice_style how = {o->brief, o->no_examples};
    if (!rc)
        advice_lines_items(job->plan, a.seen, &a.doubts, &how, out);
    key_doubts_release(&a.doubts);
    transform_free(a.transform);
    index_attributes_free(a.seen);
    return !rc ? buf_check(out, err) : rc;
}
