/* SPDX-License-Identifier: MIT */
/* verify: opens the source, the model and the sink, has them compared, and tells. */
#include <string.h>

#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/open/drivers.h"
#include "cmd/open/private_rows.h"
#include "cmd/open/row_options.h"
#include "cmd/open/stored_model.h"
#include "cmd/print/comparison.h"
#include "cmd/signals.h"
#include "cmd/verify_backfill.h"
#include "cmd/version.h"
#include "pipeline/compare/compare.h"

static enum rc same_model(const struct job *job, const struct rows_reader *rows,
                          struct err *err)
{
    if (rows->model_hash.n == 0 || str_eq(rows->model_hash, job->model->hash))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "the sink was made with another model (%.12s, this is %.12s)",
                  rows->model_hash.p, job->model->hash.p);
    return err_hint(err, "verify with the model of the export");
}

static enum rc conclude(const struct comparison *found, bool quiet, struct err *err)
{
    if (found->differing) {
        return err_set(err, RC_FINISHED_BAD,
                       "the sink does not hold what the source says: %llu %s",
                       (unsigned long long)found->differing,
                       found->differing == 1 ? "difference" : "differences");
    }
    if (!quiet)
        comparison_print(found);
    return RC_OK;
}

static void tell_result(const struct comparison *found, struct ending *out)
{
    comparison_json(&out->members, found);
    comparison_metrics(&out->metrics, found);
}

static enum rc compare(const struct options *o, const struct job *job, struct rows_reader *sink,
                       const struct rows_store *store, struct ending *out, struct err *err)
{
    struct comparison found = {0};
    struct compare_report report = comparison_report(o->quiet);
    struct compare_setup setup = {.source = {.plan = job->plan,
                                             .source = job->source,
                                             .model_hash = job->model->hash,
                                             .mask_key = buf_view(&job->mask_key),
                                             .store = store,
                                             .workers = (uint32_t)o->workers,
                                             .stop = job->stop,
                                             .env = &env_real,
                                             .version = version()},
                                  .sink = sink,
                                  .report = &report};
    enum rc rc = compare_run(&setup, &found, err);
    if (!rc)
        rc = conclude(&found, o->quiet, err);
    if (!rc || rc == RC_FINISHED_BAD)
        tell_result(&found, out);
    return rc;
}

/* The fresh rows go to a private folder, which is removed afterwards. */
static enum rc compare_privately(const struct options *o, const struct job *job,
                                 struct rows_reader *sink, struct ending *out, struct err *err)
{
    struct private_rows rows;
    enum rc rc = private_rows_make(&rows, o, err);
    if (!rc)
        rc = compare(o, job, sink, &rows.store, out, err);
    private_rows_release(&rows);
    return rc;
}

static enum rc prepare(const struct options *o, struct job *job, struct err *err)
{
    if (o->nwords < 2) {
        (void)err_set(err, RC_USAGE, "verify needs a source and a sink");
        return err_hint(err, "renorm verify items.jsonl out/ -m model.json");
    }
    struct stored_model stored = {.there = true};
    enum rc rc = o->model ? RC_OK : stored_model_find(o, &stored, err);
    const char *model = o->model ? o->model : stored.there ? stored.path : NULL;
    if (!rc && model)
        rc = job_source(job, o->words, o->nwords - 1, o, err);
    if (!rc)
        rc = job_model(job, model, o, err);
    if (!rc)
        rc = job_sources_read(job, model, err);
    return !rc ? job_mask_key(job, o, err) : rc;
}

enum rc cmd_verify(const struct options *o, struct ending *out, struct err *err)
{
    if (o->backfill)
        return verify_backfill(o, out, err);
    if (strcmp(o->max_rejects, "0") != 0 ||
        strcmp(o->max_unrouted, "0") != 0) { /* the export was held to its own allowances */
        return err_set(err, RC_USAGE,
                       "--max-rejects and --max-unrouted go with verify --backfill only");
    }
    struct job job;
    struct rows_reader *sink = NULL;
    job_init(&job);
    job.stop = signals_install();
    enum rc rc = prepare(o, &job, err);
    if (!rc)
        rc = drivers_rows(o->words[o->nwords - 1], o, &job.plan->schema, &sink, err);
    if (!rc)
        rc = same_model(&job, sink, err);
    if (!rc)
        rc = row_options_same(&job, sink->options, err);
    if (!rc)
        rc = compare_privately(o, &job, sink, out, err);
    if (sink)
        sink->ops->free(sink);
    ending_model(out, job.model ? job.model->hash : STR(""));
    job_release(&job);
    return rc;
}
