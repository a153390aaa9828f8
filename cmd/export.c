/* SPDX-License-Identifier: MIT */
/* The main job: source, model, sink; a run; the balance sheet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/dry_run.h"
#include "cmd/exit.h"
#include "cmd/job.h"
#include "cmd/live.h"
#include "cmd/open_sink.h"
#include "cmd/progress.h"
#include "cmd/row_options.h"
#include "cmd/sheet.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "pipeline/run/run.h"
#include "sinks/pg_ddl.h"

static enum rc write_summary(const struct options *o, const struct job *job,
                             const struct run_result *result, enum rc rc, struct err *err)
{
    if (!o->summary || !result->counters)
        return RC_OK;
    struct buf text;
    buf_init(&text, (size_t)64 << 20);
    sheet_json(&job->plan->schema, result, rc, &text);
    enum rc written = sheet_write(o->summary, &text, err);
    buf_release(&text);
    return written;
}

static bool to_database(const struct options *o)
{
    return !o->dry_run && sink_of(o->words[o->nwords - 1]) == SINK_POSTGRES;
}

/* The tables as people will find them: a database may have had to cut their names. */
static struct schema as_shown(const struct options *o, struct job *job)
{
    struct schema s = job->plan->schema;
    struct table *v = to_database(o) ? arena_array(&job->texts, s.ntables, sizeof *v) : NULL;
    for (uint32_t i = 0; v && i < s.ntables; i++) {
        struct pg_name name = pg_name_fit(s.tables[i].name, NULL);
        struct str kept = arena_dup(&job->texts, str_make(name.text, name.n));
        v[i] = s.tables[i];
        v[i].name = kept.p ? kept : v[i].name;
    }
    s.tables = v ? v : s.tables;
    return s;
}

static void print_sheet(const struct options *o, struct job *job,
                        const struct run_result *result)
{
    if (o->quiet)
        return;
    struct buf text;
    struct schema shown = as_shown(o, job);
    buf_init(&text, (size_t)64 << 20);
    sheet_print(&shown, result, &text);
    (void)fwrite(text.p, 1, text.len, stdout);
    (void)fflush(stdout);
    buf_release(&text);
}

static void tell_cut(const struct options *o, const struct job *job)
{
    struct buf text;
    if (o->quiet || !to_database(o))
        return;
    buf_init(&text, BUF_NO_LIMIT);
    pg_ddl_tell_cut(&text, "renorm: ", &job->plan->schema, !o->no_constraints);
    if (text.rc == RC_OK && text.len)
        (void)fwrite(text.p, 1, text.len, stderr);
    buf_release(&text);
}

/* For as long as the job. */
static enum rc keep_options(struct job *job, struct str *out, struct err *err)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    enum rc rc = row_options(job, &text, err);
    if (rc == RC_OK) {
        *out = arena_dup(&job->texts, buf_view(&text));
        rc = out->p ? RC_OK : err_nomem(err);
    }
    buf_release(&text);
    return rc;
}

static enum rc setup_run(struct run_setup *setup, const struct options *o, struct job *job,
                         struct sink *sink, struct err *err)
{
    *setup = (struct run_setup){.plan = job->plan,
                                .source = job->source,
                                .sink = sink,
                                .workers = (uint32_t)o->workers,
                                .mask_key = buf_view(&job->mask_key),
                                .commit_us = (int64_t)o->commit_seconds * 1000000,
                                .stop = job->stop,
                                .env = &env_real};
    setup->info = (struct run_info){.schema = &job->plan->schema,
                                    .model_hash = job->model->hash,
                                    .source_identity = job->source->identity,
                                    .source_text = job->source->description,
                                    .segments = job->source->segments,
                                    .workers = setup->workers,
                                    .restart = o->restart,
                                    .resumable = job->source->resumable,
                                    .same_us = job->source->same_us,
                                    .version = version(),
                                    .stop = job->stop};
    setup->info.now_given = o->now != NULL;
    enum rc rc = job_now(o, &setup->info.now_us, err);
    if (rc == RC_OK)
        rc = keep_options(job, &setup->info.options, err);
    if (rc == RC_OK)
        rc = job_allowance("max-rejects", o->max_rejects, &setup->rejects, err);
    if (rc == RC_OK)
        rc = job_allowance("max-unrouted", o->max_unrouted, &setup->unrouted, err);
    return rc;
}

static enum rc run(const struct options *o, struct job *job, struct sink *sink, struct err *err)
{
    struct run_setup setup;
    struct run_result result = {0};
    struct progress progress;
    enum rc rc = setup_run(&setup, o, job, sink, err);
    if (rc != RC_OK)
        return rc;
    progress_init(&progress, stderr, &env_real);
    progress.quiet = o->quiet;
    progress.json = strcmp(o->log, "json") == 0;
    progress.bytes_total = job->source->bytes;
    progress.segments = job->source->segments;
    progress.metered = job->source->ops->usage ? job->source : NULL;
    setup.tick = progress_tick;
    setup.doing = progress_doing;
    setup.tick_ctx = &progress;
    rc = run_export(&setup, &result, err);
    progress_end(&progress);
    struct err late = {0};
    enum rc written = write_summary(o, job, &result, rc, &late);
    if (rc == RC_OK || rc == RC_FINISHED_BAD)
        print_sheet(o, job, &result);
    if (rc == RC_OK && written != RC_OK) {
        *err = late;
        rc = written;
    }
    run_result_release(&result);
    return rc;
}

static enum rc check_words(const struct options *o, struct err *err)
{
    if (o->nwords < 2) {
        (void)err_set(err, RC_USAGE, "export needs a source and a sink");
        return err_hint(err, "renorm export items.jsonl out/ -m model.json");
    }
    if (strcmp(o->log, "text") != 0 && strcmp(o->log, "json") != 0)
        return err_set(err, RC_USAGE, "--log is text or json, not \"%s\"", o->log);
    return o->summary ? sheet_writable(o->summary, err) : RC_OK;
}

int cmd_export(const struct options *o)
{
    struct job job;
    struct sink *sink = NULL;
    struct err err = {0};
    job_init(&job);
    job.stop = signals_install();
    enum rc rc = check_words(o, &err);
    if (rc == RC_OK && !o->model)
        rc = job_model(&job, NULL, o, &err);
    if (rc == RC_OK)
        rc = job_source(&job, o->words, o->nwords - 1, o, &err);
    if (rc == RC_OK)
        rc = job_model(&job, o->model, o, &err);
    if (rc == RC_OK)
        rc = job_mask_key(&job, o, &err);
    if (rc == RC_OK)
        rc = live_prepare(&job, o, &err);
    bool plan_only = rc == RC_OK && o->dry_run && live_is(o->words[0]);
    if (plan_only) {
        rc = dry_run_print(&job, o, &err);
    } else if (rc == RC_OK) {
        rc = open_sink(o->dry_run ? "null:" : o->words[o->nwords - 1], o, &sink, &err);
    }
    if (rc == RC_OK && sink) {
        tell_cut(o, &job);
        rc = run(o, &job, sink, &err);
    }
    if (sink)
        sink->ops->close(sink);
    job_release(&job);
    return exit_tell(rc, &err);
}
