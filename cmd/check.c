/* SPDX-License-Identifier: MIT */
/*
 * Validates a model and shows the tables it makes and what a backfill would write; with a source, runs its items through
 * without writing anything, prints the balance sheet and gives advice.
 */
#include <stdio.h>

#include "cmd/advice.h"
#include "cmd/commands.h"
#include "cmd/exit.h"
#include "cmd/job.h"
#include "cmd/sheet.h"
#include "cmd/signals.h"
#include "cmd/version.h"
#include "sinks/dynamodb/recipe.h"
#include "sinks/null_sink.h"
#include "sinks/pg_ddl.h"

static const char *const KINDS[] = {[TABLE_ENTITY] = "entity",
                                    [TABLE_CHILD] = "exploded from",
                                    [TABLE_EXTRACT] = "extracted from",
                                    [TABLE_CONFLICT] = "conflicts of"};

static const char *key_mark(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return "key";
    }
    return t->columns[column].not_null ? "not null" : "";
}

static void print_references(const struct schema *s, const struct table *t, struct buf *out)
{
    for (uint32_t i = 0; i < t->nreferences; i++) {
        const struct reference *r = &t->references[i];
        buf_puts(out, "    (");
        for (uint32_t k = 0; k < r->n; k++)
            buf_addf(out, "%s%.*s", k ? ", " : "", STR_FMT(t->columns[r->columns[k]].name));
        buf_addf(out, ") -> %.*s\n", STR_FMT(s->tables[r->to].name));
    }
}

static void print_table(const struct schema *s, const struct table *t, struct buf *out)
{
    buf_addf(out, "%.*s  (%s %.*s)\n", STR_FMT(t->name), KINDS[t->kind], STR_FMT(t->comment));
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        const char *mark = c->extra ? "what the model does not name" : key_mark(t, i);
        buf_addf(out, "    %-28.*s %-*s%s\n", STR_FMT(c->name), *mark ? 19 : 0,
                 col_type_name(c->type), mark);
    }
    print_references(s, t, out);
    buf_putc(out, '\n');
}

static void print_backfill(const struct entity *e, struct buf *out)
{
    if (e->nbackfill == 0)
        return;
    buf_addf(out, "%.*s  (backfill%s)\n", STR_FMT(e->name),
             e->backfill_missing == MISSING_FAIL ? ", missing inputs fail" : "");
    for (uint32_t i = 0; i < e->nbackfill; i++) {
        const struct backfill_spec *b = &e->backfill[i];
        buf_addf(out, "    %-28.*s ", STR_FMT(b->attribute));
        if (b->remove) {
            buf_puts(out, "removed\n");
        } else {
            buf_addf(out, "%-19s%.*s\n", val_kind_name(b->kind), STR_FMT(b->tpl.text));
        }
    }
    if (e->backfill_when) {
        buf_puts(out, "    when ");
        cond_print(e->backfill_when, out);
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}

static enum rc print_model(const struct plan *plan, struct err *err)
{
    const struct schema *s = &plan->schema;
    struct buf out;
    buf_init(&out, (size_t)16 << 20);
    for (uint32_t i = 0; i < s->ntables; i++)
        print_table(s, &s->tables[i], &out);
    for (uint32_t i = 0; i < plan->model->nentities; i++)
        print_backfill(&plan->model->entities[i], &out);
    enum rc rc = buf_check(&out, err);
    if (rc == RC_OK)
        (void)fwrite(out.p, 1, out.len, stdout);
    buf_release(&out);
    return rc;
}

/* The statements a load into empty tables runs. */
static enum rc print_ddl(const struct schema *s, const struct options *o, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)256 << 20);
    enum rc rc =
        pg_ddl_print(&out, s, o->schema ? str_of(o->schema) : s->name, o->no_constraints, err);
    if (rc == RC_OK)
        (void)fwrite(out.p, 1, out.len, stdout);
    buf_release(&out);
    return rc;
}

static enum rc print_result(const struct job *job, const struct run_result *r, struct err *err)
{
    struct buf out;
    buf_init(&out, (size_t)64 << 20);
    sheet_print(&job->plan->schema, r, &out);
    enum rc rc = buf_check(&out, err);
    if (rc == RC_OK)
        (void)fwrite(out.p, 1, out.len, stdout);
    buf_release(&out);
    return rc;
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
                              .commit_us = INT64_MAX / 2,
                              .rejects = {0, -1},
                              .unrouted = {0, -1},
                              .stop = job->stop,
                              .env = &env_real};
    setup.info = (struct run_info){
        .schema = &job->plan->schema, .workers = setup.workers, .version = version()};
    enum rc rc = job_now(o, &setup.info.now_us, err);
    if (rc == RC_OK)
        rc = run_export(&setup, &result, err);
    if ((rc == RC_OK || rc == RC_FINISHED_BAD) && !o->quiet) {
        enum rc printed = print_result(job, &result, err);
        rc = printed != RC_OK ? printed : rc;
    }
    sink->ops->close(sink);
    run_result_release(&result);
    return rc;
}

static enum rc check_source(const struct options *o, struct job *job, struct err *err)
{
    enum rc rc = job_mask_key(job, o, err);
    if (rc == RC_OK)
        rc = job_source(job, o->words + 1, o->nwords - 1, o, err);
    if (rc == RC_OK)
        rc = try_items(o, job, err);
    if ((rc != RC_OK && rc != RC_FINISHED_BAD) || o->quiet)
        return rc;
    struct err late = {0};
    struct buf advice;
    buf_init(&advice, (size_t)16 << 20);
    enum rc advised = advice_give(job, o, &advice, &late);
    if (advised == RC_OK && advice.len)
        (void)fwrite(advice.p, 1, advice.len, stdout);
    if (advised != RC_OK) {
        *err = late;
        rc = advised;
    }
    buf_release(&advice);
    return rc;
}

/* Without a table: what can be wrong with it on any table. */
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
    return rc == RC_NOMEM ? rc : job_judge(job, path, rc, err);
}

int cmd_check(const struct options *o)
{
    struct job job;
    struct err err = {0};
    job_init(&job);
    job.stop = signals_install();
    enum rc rc = RC_OK;
    if (o->nwords < 1) {
        rc = err_set(&err, RC_USAGE,
                     "check needs a model\nhint: renorm check model.json [items.jsonl]");
    }
    if (rc == RC_OK)
        rc = job_model(&job, o->words[0], o, &err);
    if (rc == RC_OK)
        rc = check_backfill(&job, o->words[0], &err);
    if (rc == RC_OK && o->ddl) {
        rc = print_ddl(&job.plan->schema, o, &err);
    } else if (rc == RC_OK && !o->quiet) {
        rc = print_model(job.plan, &err);
    }
    if (rc == RC_OK && o->nwords > 1)
        rc = check_source(o, &job, &err);
    job_release(&job);
    return exit_tell(rc, &err);
}
