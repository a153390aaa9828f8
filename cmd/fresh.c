/* SPDX-License-Identifier: MIT */
/* An export like any other, but for its allowances: whatever is rejected is no row. */
#include "cmd/fresh.h"

#include "cmd/trail.h"
#include "cmd/version.h"
#include "pipeline/run/run.h"
#include "sinks/fs.h"
#include "sinks/jsonl_sink.h"

static enum rc open_sink(const struct fresh *f, struct sink **out, struct err *err)
{
    struct jsonl_options opts = {.out = f->folder, .level = 1};
    struct trail_options notes = {f->trail, &f->job->plan->schema, f->fold, f->places};
    enum rc rc = f->trail ? fs_mkdirs(f->trail, err) : RC_OK;
    if (rc == RC_OK)
        rc = jsonl_open(&opts, out, err);
    return rc == RC_OK && f->trail ? trail_sink(&notes, *out, out, err) : rc;
}

enum rc fresh_export(const struct fresh *f, struct err *err)
{
    const struct job *job = f->job;
    struct sink *sink = NULL;
    struct run_result result = {0};
    enum rc rc = open_sink(f, &sink, err);
    if (rc != RC_OK)
        return rc;
    struct run_setup setup = {.plan = job->plan,
                              .source = f->source,
                              .sink = sink,
                              .workers = f->workers,
                              .mask_key = buf_view(&job->mask_key),
                              .commit_us = INT64_MAX / 2,
                              .rejects = {UINT64_MAX, -1},
                              .unrouted = {UINT64_MAX, -1},
                              .stop = job->stop,
                              .env = &env_real};
    setup.info = (struct run_info){.schema = &job->plan->schema,
                                   .model_hash = job->model->hash,
                                   .source_identity = f->source->identity,
                                   .source_text = f->source->description,
                                   .now_us = f->now_us ? f->now_us : env_real.now_us(NULL),
                                   .segments = f->source->segments,
                                   .workers = setup.workers,
                                   .resumable = f->source->resumable,
                                   .version = version()};
    rc = run_export(&setup, &result, err);
    sink->ops->close(sink);
    run_result_release(&result);
    return rc;
}
