/* SPDX-License-Identifier: MIT */
/* The export is like any other, but no number of rejected or unrouted items holds it up. */
#include "pipeline/compare/reexport.h"

static bool is_lost(void *ctx, uint32_t table, struct str line)
{
    return lost_rows_has(ctx, table, line);
}

/* The load dropped rows before copies were held against the rest, so the export does the same. */
static enum rc find_lost(void *ctx, struct sink *inner, struct err *err)
{
    const struct reexport *f = ctx;
    enum rc rc = lost_rows_find(f->origins, &f->plan->schema, f->last, f->lost, err);
    if (!rc)
        inner->unowned = (struct sink_unowned){is_lost, *f->lost};
    return rc;
}

static enum rc open_sink(const struct reexport *f, struct sink **out, struct err *err)
{
    struct row_origin_options notes = {
        f->origins,      &f->plan->schema,           f->fold,
        f->lost != NULL, f->lost ? find_lost : NULL, (void *)(uintptr_t)f};
    enum rc rc = f->store->sink(f->store->ctx, f->name, out, err);
    return !rc && f->origins ? row_origin_sink(&notes, *out, out, err) : rc;
}

enum rc reexport(const struct reexport *f, struct err *err)
{
    struct sink *sink = NULL;
    struct run_result result = {0};
    enum rc rc = open_sink(f, &sink, err);
    if (rc)
        return rc;
    struct run_setup setup = {.plan = f->plan,
                              .source = f->source,
                              .sink = sink,
                              .workers = f->workers,
                              .mask_key = f->mask_key,
                              .commit_us = INT64_MAX / 2,
                              .rejects = {UINT64_MAX, -1},
                              .unrouted = {UINT64_MAX, -1},
                              .stop = f->stop,
                              .env = f->env};
    setup.info =
        (struct run_info){.schema = &f->plan->schema,
                          .model_hash = f->model_hash,
                          .source_identity = f->source->identity,
                          .source_text = f->source->description,
                          .now_us = f->now_us ? f->now_us : f->env->now_us(f->env->ctx),
                          .segments = f->source->segments,
                          .workers = setup.workers,
                          .resumable = f->source->resumable,
                          .version = f->version};
    rc = run_export(&setup, &result, err);
    sink->ops->close(sink);
    run_result_release(&result);
    return rc;
}
