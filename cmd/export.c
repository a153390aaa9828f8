/* SPDX-License-Identifier: MIT */
/* export: opens the source, the model and the sink, runs, and prints the balance sheet. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/ending.h"
#include "cmd/open/drivers.h"
#include "cmd/open/guard_options.h"
#include "cmd/open/row_options.h"
#include "cmd/open/stored_model.h"
#include "cmd/open/table_address.h"
#include "cmd/print/balance.h"
#include "cmd/print/dry_run.h"
#include "cmd/print/plain.h"
#include "cmd/print/progress.h"
#include "cmd/print/tell.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "pipeline/run/run.h"
#include "pipeline/source/several/several.h"
#include "pipeline/source/table/scan.h"

/* Returns the schema with tables named as people will find them in the sink. */
static struct schema as_shown(const struct driver *to, struct job *job)
{
    struct schema s = job->plan->schema;
    struct table *v = to->table_name ? arena_array(&job->texts, s.ntables, sizeof *v) : NULL;
    for (uint32_t i = 0; v && i < s.ntables; i++) {
        v[i] = s.tables[i];
        v[i].name = to->table_name(&job->texts, v[i].name);
    }
    s.tables = v ? v : s.tables;
    return s;
}

static void print_sheet(const struct driver *to, struct job *job,
                        const struct run_result *result)
{
    struct buf text;
    struct schema shown = as_shown(to, job);
    buf_init(&text, (size_t)64 << 20);
    balance_print(&shown, result, &text);
    plain_print(buf_view(&text));
    (void)fflush(stdout);
    buf_release(&text);
}

static void tell(const struct driver *to, const struct options *o, const struct job *job)
{
    struct buf text;
    if (o->quiet || !to || !to->tell)
        return;
    buf_init(&text, BUF_NO_LIMIT);
    to->tell(o, &job->plan->schema, &text);
    if (!text.rc && text.len)
        tell_warnings(buf_view(&text));
    buf_release(&text);
}

/* The text is valid as long as the job is. */
static enum rc keep_options(struct job *job, struct str *out, struct err *err)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    enum rc rc = row_options(job, &text, err);
    if (!rc) {
        *out = arena_dup(&job->texts, buf_view(&text));
        rc = out->p ? RC_OK : err_nomem(err);
    }
    buf_release(&text);
    return rc;
}

/* The options that decide whether a result is shown: other ones are a reason to judge it anew. */
static enum rc keep_judged(const struct options *o, struct job *job, struct str *out,
                           struct err *err)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    buf_addf(&text, "max-rejects %s, max-unrouted %s, max-shrink %s, allow %s", o->max_rejects,
             o->max_unrouted, o->max_shrink, o->allow ? o->allow : "nothing");
    buf_addf(&text, ", duplicates %s, orphans %s, fail-on %s",
             o->duplicates ? o->duplicates : "default", o->orphans,
             o->fail_on ? o->fail_on : "nothing");
    *out = arena_dup(&job->texts, buf_view(&text));
    enum rc rc = out->p ? buf_check(&text, err) : err_nomem(err);
    buf_release(&text);
    return rc;
}

/* A table or a pipe is as new as the moment. */
static int64_t source_time(const struct source *s, int64_t now)
{
    bool fleeting = s->same_us > 0 || !s->resumable;
    return s->as_of_us || !fleeting ? s->as_of_us : now;
}

static enum rc setup_run(struct run_setup *setup, const struct options *o, struct job *job,
                         struct sink *sink, struct err *err)
{
    *setup = (struct run_setup){.plan = job->plan,
                                .source = job->source,
                                .sink = sink,
                                .workers = (uint32_t)o->workers,
                                .mask_key = buf_view(&job->mask_key),
                                .no_examples = o->no_examples,
                                .commit_us = (int64_t)o->commit_seconds * 1000000,
                                .stop = job->stop,
                                .env = &env_real};
    setup->info = (struct run_info){.schema = &job->plan->schema,
                                    .model_hash = job->model->hash,
                                    .source_identity = job->source->identity,
                                    .source_text = job->source->description,
                                    .segments = job->source->segments,
                                    .workers = setup->workers,
                                    .partial = o->only != NULL,
                                    .restart = o->restart,
                                    .resumable = job->source->resumable,
                                    .same_us = job->source->same_us,
                                    .max_age_us = job->source->max_age_us,
                                    .clock_us = env_real.now_us(env_real.ctx),
                                    .version = version(),
                                    .stop = job->stop};
    setup->info.source_us = source_time(job->source, setup->info.clock_us);
    setup->info.now_given = o->now != NULL;
    enum rc rc = job_now(o, &setup->info.now_us, err);
    if (!rc)
        rc = keep_options(job, &setup->info.options, err);
    if (!rc)
        rc = keep_judged(o, job, &setup->info.judged, err);
    if (!rc)
        rc = job_allowance("max-rejects", o->max_rejects, &setup->rejects, err);
    if (!rc)
        rc = job_allowance("max-unrouted", o->max_unrouted, &setup->unrouted, err);
    if (!rc)
        rc = profile_findings_parse(o->fail_on, &setup->fail_on, err);
    return rc ? rc : guard_options(o, &job->texts, &setup->guards, err);
}

static void tell_result(const struct schema *schema, const struct run_result *r,
                        struct ending *out)
{
    balance_json(schema, r, &out->members);
    balance_metrics(schema, r, &out->metrics);
}

static enum rc run(const struct options *o, struct job *job, const struct driver *to,
                   struct sink *sink, struct ending *out, struct err *err)
{
    struct run_setup setup;
    struct run_result result = {0};
    struct progress progress;
    enum rc rc = setup_run(&setup, o, job, sink, err);
    if (rc)
        return rc;
    progress_init(&progress, stderr, &env_real);
    progress.quiet = o->quiet;
    progress.json = tell_is_json();
    progress.pace.bytes_total = job->source->bytes;
    progress.pace.segments = job->source->segments;
    progress.metered = job->source->ops->usage ? job->source : NULL;
    setup.tick = progress_tick;
    setup.doing = progress_doing;
    setup.finishing = progress_finishing;
    setup.tick_ctx = &progress;
    rc = run_export(&setup, &result, err);
    progress_end(&progress);
    bool finished = !rc || rc == RC_FINISHED_BAD;
    if (result.counters)
        tell_result(&job->plan->schema, &result, out);
    if (finished && !o->quiet)
        print_sheet(to, job, &result);
    run_result_release(&result);
    return rc;
}

static const char *sink_word(const struct options *o)
{
    return o->dry_run ? "null:" : o->words[o->nwords - 1];
}

/* What would be read of each table. */
static enum rc print_plans(struct job *job, const struct options *o, struct err *err)
{
    struct source *whole = job->source;
    size_t n = several_count(whole);
    enum rc rc = n ? RC_OK : dry_run_print(job, o, err);
    for (size_t i = 0; !rc && i < n; i++) {
        job->source = several_get(whole, i);
        if (scan_is(job->source))
            rc = dry_run_print(job, o, err);
    }
    job->source = whole;
    return rc;
}

/* Finds the driver of the sink, in *to. */
static enum rc check_words(const struct options *o, const struct driver **to, struct err *err)
{
    if (o->nwords < 2) {
        (void)err_set(err, RC_USAGE, "export needs a source and a sink");
        return err_hint(err, "renorm export items.jsonl out/ -m model.json");
    }
    return drivers_find(sink_word(o), to, err);
}

/* Opens source and model: the model that is named, the one that an earlier export inferred, or a
   new one. */
static enum rc open_model(struct job *job, const struct options *o, struct ending *out,
                          struct err *err)
{
    struct stored_model stored = {.there = true};
    enum rc rc = o->model ? RC_OK : stored_model_find(o, &stored, err);
    if (!rc)
        rc = job_source(job, o->words, o->nwords - 1, o, err);
    if (!rc && !stored.there)
        rc = stored_model_make(&stored, job, o, err);
    if (!rc && !o->model)
        ending_inferred(out, stored.path);
    if (!rc && !o->model && stored.there && !o->quiet)
        tell_warning("no model given: using %s, of an earlier export", stored.path);
    const char *path = o->model ? o->model : stored.path;
    if (!rc)
        rc = job_model(job, path, o, err);
    return rc ? rc : job_sources_read(job, path, err);
}

enum rc cmd_export(const struct options *o, struct ending *out, struct err *err)
{
    struct job job;
    const struct driver *to = NULL;
    struct sink *sink = NULL;
    job_init(&job);
    job.stop = signals_install();
    enum rc rc = check_words(o, &to, err);
    if (!rc)
        rc = open_model(&job, o, out, err);
    if (!rc)
        rc = job_mask_key(&job, o, err);
    if (!rc)
        rc = table_prepare(&job, o, err);
    if (!rc && o->dry_run && (scan_is(job.source) || several_count(job.source))) {
        rc = print_plans(&job, o, err);
    } else if (!rc) {
        rc = drivers_sink(sink_word(o), o, &sink, err);
    }
    if (!rc && sink) {
        tell(to, o, &job);
        rc = run(o, &job, to, sink, out, err);
    }
    if (sink)
        sink->ops->close(sink);
    ending_model(out, job.model ? job.model->hash : STR(""));
    job_release(&job);
    return rc;
}
