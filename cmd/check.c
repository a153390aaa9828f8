/* SPDX-License-Identifier: MIT */
/*
 * check: validates a model and shows the tables it makes and what a backfill would write. With a
 * source it runs the items through the model without writing anything, prints the balance sheet and
 * gives advice.
 */
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/open/job.h"
#include "cmd/print/advice.h"
#include "cmd/print/advice_lines.h"
#include "cmd/print/balance.h"
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/model_tables.h"
#include "cmd/print/plain.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "sinks/dynamodb/recipe/recipe.h"
#include "sinks/null.h"
#include "sinks/postgres/ddl/ddl.h"

/* Prints the text and releases it. */
static enum rc print(struct buf *out, struct err *err)
{
    enum rc rc = buf_check(out, err);
    if (!rc && out->len > 0)
        plain_print(buf_view(out));
    buf_release(out);
    return rc;
}

static enum rc print_model(const struct plan *plan, bool brief, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)16 << 20);
    if (brief) {
        model_tables_brief(plan, &out);
    } else {
        model_tables_print(plan, &out);
    }
    return print(&out, err);
}

/* Prints the statements that a load into empty tables runs. */
static enum rc print_ddl(const struct schema *s, const struct options *o, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)256 << 20);
    enum rc rc =
        pg_ddl_print(&out, s, o->schema ? str_of(o->schema) : s->name, o->no_constraints, err);
    if (!rc)
        return print(&out, err);
    buf_release(&out);
    return rc;
}

/* The format that an option asks for; NULL: none. */
static enum rc find_format(const struct options *o, const struct diagram_format **out,
                           struct err *err)
{
    const struct {
        bool asked;
        const struct diagram_format *format;
    } ROWS[] = {{o->mermaid, &diagram_mermaid},
                {o->dbml, &diagram_dbml},
                {o->dot, &diagram_dot},
                {o->svg, &diagram_svg},
                {o->dbt, &diagram_dbt},
                {o->contract, &diagram_contract},
                {o->ddl, NULL}};
    unsigned n = 0;
    *out = NULL;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        n += ROWS[i].asked;
        *out = ROWS[i].asked ? ROWS[i].format : *out;
    }
    if (n > 1) {
        return err_set(
            err, RC_USAGE,
            "--ddl, --mermaid, --dbml, --dot, --svg, --dbt and --contract exclude each other");
    }
    if (*out && o->nwords > 1) {
        (void)err_set(err, RC_USAGE, "the tables for other tools are those of a model alone");
        return err_hint(err, "leave out the source, or look at it in a second call");
    }
    return RC_OK;
}

static enum rc print_diagram(const struct plan *plan, const struct options *o,
                             const struct diagram_format *format, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)256 << 20);
    diagram_print(plan, str_of(o->schema), format, &out);
    return print(&out, err);
}

static enum rc print_result(const struct job *job, const struct run_result *r, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)64 << 20);
    balance_print(&job->plan->schema, r, &out);
    return print(&out, err);
}

static enum rc try_items(const struct options *o, struct job *job, struct err *err)
{
    struct run_result result = {0};
    struct sink *sink = null_sink_new();
    if (!sink)
        return err_nomem(err);
    struct run_setup setup = {.plan = job->plan,
                              .source = job->source,
                              .sink = sink,
                              .workers = (uint32_t)o->workers,
                              .mask_key = buf_view(&job->mask_key),
                              .no_examples = o->no_examples,
                              .commit_us = INT64_MAX / 2,
                              .rejects = {0, -1},
                              .unrouted = {0, -1},
                              .stop = job->stop,
                              .env = &env_real};
    setup.info = (struct run_info){
        .schema = &job->plan->schema, .workers = setup.workers, .version = version()};
    enum rc rc = job_now(o, &setup.info.now_us, err);
    if (!rc)
        rc = profile_findings_parse(o->fail_on, &setup.fail_on, err);
    if (!rc)
        rc = run_export(&setup, &result, err);
    if ((!rc || rc == RC_FINISHED_BAD) && !o->quiet) {
        enum rc printed = print_result(job, &result, err);
        rc = printed ? printed : rc;
    }
    sink->ops->close(sink);
    run_result_release(&result);
    return rc;
}

static enum rc check_source(const struct options *o, struct job *job, struct err *err)
{
    enum rc rc = job_mask_key(job, o, err);
    if (!rc)
        rc = try_items(o, job, err);
    if ((rc && rc != RC_FINISHED_BAD) || o->quiet)
        return rc;
    struct err late = {0};
    struct buf advice;
    buf_init(&advice, (size_t)16 << 20);
    enum rc advised = advice_give(job, o, &advice, &late);
    if (!advised && advice.len)
        plain_print(buf_view(&advice));
    if (advised) {
        *err = late;
        rc = advised;
    }
    buf_release(&advice);
    return rc;
}

static enum rc advise_model(const struct job *job, const struct options *o, struct err *err)
{
    struct advice_style how = {o->brief, o->no_examples};
    struct buf out;
    buf_init(&out, (size_t)16 << 20);
    advice_lines_model(job->plan, &how, &out);
    return print(&out, err);
}

/* A source may know what the model does not say: keys, indexes, time to live. So the model is
   compiled again, as an export would. */
static enum rc open_source(const struct options *o, struct job *job, struct err *err)
{
    enum rc rc = job_source(job, o->words + 1, o->nwords - 1, o, err);
    const struct source *s = job->source;
    bool placed = !rc && (s->nparts > 1 || job->plan->nsources);
    if (rc || (!placed && !s->nkey && !s->nindexing && !s->ttl.n))
        return rc;
    plan_free(job->plan);
    model_free(job->model);
    job->plan = NULL;
    job->model = NULL;
    rc = job_model(job, o->words[0], o, err);
    return rc ? rc : job_sources_read(job, o->words[0], err);
}

/* Finds what no server would take of the tables as a whole, and of their schema's name. */
static enum rc check_names(const struct job *job, const struct options *o, struct err *err)
{
    struct str schema = o->schema ? str_of(o->schema) : job->plan->schema.name;
    if (str_starts(schema, STR("pg_"))) {
        return err_set(err, RC_USAGE,
                       "no schema can be called \"%.*s\" in PostgreSQL: it keeps what begins "
                       "with pg_\nhint: give the model another name, or --schema NAME",
                       STR_FMT(schema));
    }
    return pg_ddl_check(&job->plan->schema, err);
}

/* Finds what is wrong with the backfill whatever table it is for. */
static enum rc check_backfill(struct job *job, const char *path, struct err *err)
{
    struct recipe *recipe = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < job->model->nentities; i++)
        n += job->model->entities[i].nbackfill > 0;
    if (n == 0)
        return RC_OK;
    enum rc rc = recipe_new(job->plan, NULL, &recipe, &job->problems, err);
    recipe_free(recipe);
    return rc == RC_NOMEM ? rc : job_problems(job, path, rc, err);
}

enum rc cmd_check(const struct options *o, struct ending *out, struct err *err)
{
    (void)out;
    struct job job;
    job_init(&job);
    job.foresee = true;
    job.stop = signals_install();
    const struct diagram_format *format = NULL;
    enum rc rc = find_format(o, &format, err);
    if (!rc && o->nwords < 1) {
        rc = err_set(err, RC_USAGE,
                     "check needs a model\nhint: renorm check model.json [items.jsonl]");
    }
    if (!rc)
        rc = job_model(&job, o->words[0], o, err);
    if (!rc && o->nwords > 1)
        rc = open_source(o, &job, err);
    if (!rc)
        rc = check_names(&job, o, err);
    if (!rc)
        rc = check_backfill(&job, o->words[0], err);
    if (!rc && o->ddl) {
        rc = print_ddl(&job.plan->schema, o, err);
    } else if (!rc && format) {
        rc = print_diagram(job.plan, o, format, err);
    } else if (!rc && !o->quiet) {
        rc = print_model(job.plan, o->brief, err);
        if (!rc)
            rc = advise_model(&job, o, err);
    }
    if (!rc && o->nwords > 1)
        rc = check_source(o, &job, err);
    job_release(&job);
    return rc;
}
