/* SPDX-License-Identifier: MIT */
/*
 * Proves that a sink holds what the source says: the source is exported once more, through
 * the same model and as of the same moment, into a private folder; then both are compared.
 * So verify has nothing of its own that could agree with a mistake of the sink: extracts are
 * reduced, rows cast and spelt by the code that a fresh export runs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/compare.h"
#include "cmd/exit.h"
#include "cmd/job.h"
#include "cmd/open_side.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "pipeline/run/run.h"
#include "sinks/fs.h"
#include "sinks/jsonl_sink.h"

static enum rc make_folder(struct buf *path, struct err *err)
{
    const char *base = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): no threads yet */
    buf_addf(path, "%s/renorm-verify-XXXXXX", base && *base ? base : "/tmp");
    enum rc rc = buf_check(path, err);
    if (rc != RC_OK)
        return rc;
    (void)buf_cstr(path); /* ends it with NUL, in place */
    if (!mkdtemp(path->p))
        return err_errno(err, RC_TRANSIENT, errno, "cannot make a folder like \"%s\"", path->p);
    return RC_OK;
}

/* What cannot be removed is said: the folder holds the items' rows. */
static void remove_folder(const char *path)
{
    struct err err = {0};
    if (fs_remove(path, &err) != RC_OK)
        (void)fprintf(stderr, "renorm: \"%s\" is left behind: %s\n", path, err.msg);
}

static enum rc export_again(const struct options *o, struct job *job, const char *folder,
                            int64_t now_us, struct err *err)
{
    struct sink *sink = NULL;
    struct run_result result = {0};
    struct jsonl_options opts = {.out = folder, .level = 1};
    enum rc rc = jsonl_open(&opts, &sink, err);
    if (rc != RC_OK)
        return rc;
    struct run_setup setup = {.plan = job->plan,
                              .source = job->source,
                              .sink = sink,
                              .workers = (uint32_t)o->workers,
                              .mask_key = buf_view(&job->mask_key),
                              .commit_us = INT64_MAX / 2,
                              .rejects = {UINT64_MAX, -1},
                              .unrouted = {UINT64_MAX, -1},
                              .stop = job->stop,
                              .env = &env_real};
    setup.info = (struct run_info){.schema = &job->plan->schema,
                                   .model_hash = job->model->hash,
                                   .source_identity = job->source->identity,
                                   .source_text = job->source->description,
                                   .now_us = now_us ? now_us : env_real.now_us(NULL),
                                   .segments = job->source->segments,
                                   .workers = setup.workers,
                                   .resumable = job->source->resumable,
                                   .version = version()};
    rc = run_export(&setup, &result, err);
    sink->ops->close(sink);
    run_result_release(&result);
    return rc;
}

static enum rc same_model(const struct job *job, const struct side *side, struct err *err)
{
    if (side->model_hash.n == 0 || str_eq(side->model_hash, job->model->hash))
        return RC_OK;
    (void)err_set(err, RC_USAGE, "the sink was made with another model (%.12s, this is %.12s)",
                  side->model_hash.p, job->model->hash.p);
    return err_hint(err, "verify with the model of the export");
}

static enum rc compare(const struct options *o, struct job *job, struct side *sink,
                       const char *folder, struct err *err)
{
    struct side *fresh = NULL;
    struct comparison found = {.quiet = o->quiet};
    enum rc rc = export_again(o, job, folder, sink->now_us, err);
    if (rc == RC_OK)
        rc = side_folder(folder, &job->plan->schema, &fresh, err);
    if (rc == RC_OK)
        rc = compare_sides(&job->plan->schema, fresh, sink, &found, err);
    if (fresh)
        fresh->ops->free(fresh);
    if (rc == RC_OK && found.differing) {
        rc = err_set(err, RC_FINISHED_BAD,
                     "the sink does not hold what the source says: %llu %s",
                     (unsigned long long)found.differing,
                     found.differing == 1 ? "difference" : "differences");
    } else if (rc == RC_OK && !o->quiet) {
        (void)printf("verified: %llu rows in %llu tables\n", (unsigned long long)found.rows,
                     (unsigned long long)found.tables);
    }
    return rc;
}

static enum rc prepare(const struct options *o, struct job *job, struct err *err)
{
    if (o->nwords < 2) {
        (void)err_set(err, RC_USAGE, "verify needs a source and a sink");
        return err_hint(err, "renorm verify items.jsonl out/ -m model.json");
    }
    enum rc rc = RC_OK;
    if (o->model)
        rc = job_source(job, o->words, o->nwords - 1, o, err);
    if (rc == RC_OK)
        rc = job_model(job, o->model, o, err);
    return rc == RC_OK ? job_mask_key(job, o, err) : rc;
}

int cmd_verify(const struct options *o)
{
    struct job job;
    struct side *sink = NULL;
    struct err err = {0};
    struct buf folder;
    job_init(&job);
    job.stop = signals_install();
    buf_init(&folder, 4096);
    enum rc rc = prepare(o, &job, &err);
    if (rc == RC_OK)
        rc = open_side(o->words[o->nwords - 1], o, &job.plan->schema, &sink, &err);
    if (rc == RC_OK)
        rc = same_model(&job, sink, &err);
    bool made = false;
    if (rc == RC_OK) {
        rc = make_folder(&folder, &err);
        made = rc == RC_OK;
    }
    if (rc == RC_OK)
        rc = compare(o, &job, sink, folder.p, &err);
    if (made)
        remove_folder(folder.p);
    if (sink)
        sink->ops->free(sink);
    buf_release(&folder);
    job_release(&job);
    return exit_tell(rc, &err);
}
