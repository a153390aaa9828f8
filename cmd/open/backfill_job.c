/* SPDX-License-Identifier: MIT */
/*
 * A backfill must see whole items, for their size and for the condition of each write. So an index
 * is refused, and the service is never asked to leave attributes or items out.
 */
#include "cmd/open/backfill_job.h"

#include <string.h>

#include "cmd/open/drivers.h"
#include "cmd/open/table_address.h"
#include "cmd/print/tell.h"
#include "cmd/signals.h"

void backfill_job_init(struct backfill_job *b, const struct options *o, struct ending *out)
{
    *b = (struct backfill_job){.o = o, .out = out};
    job_init(&b->job);
    b->job.stop = signals_install();
    budget_init(&b->writes, (struct budget_limits){1, 1, 1}, env_real.mono_us(NULL));
    backfill_progress_init(&b->progress, stderr, &env_real);
}

void backfill_job_release(struct backfill_job *b)
{
    ending_model(b->out, b->job.model ? b->job.model->hash : STR(""));
    recipe_free(b->recipe);
    budget_release(&b->writes);
    job_release(&b->job);
}

static enum rc parse_pace(const char *text, struct write_pace *pace, struct err *err)
{
    unsigned long long n = 0;
    *pace = (struct write_pace){WRITE_PACE_DEFAULT, 0};
    if (!text)
        return RC_OK;
    if (strcmp(text, "max") == 0) {
        pace->kind = WRITE_PACE_MAX;
    } else if (str_uint(str_of(text), &n) && n >= 1 && n <= 10000000) {
        *pace = (struct write_pace){WRITE_PACE_UNITS, (int64_t)n};
    } else {
        return err_set(err, RC_USAGE, "--wcu takes a number from 1 on, or max, not \"%s\"",
                       text);
    }
    return RC_OK;
}

static bool names_index(const char *word)
{
    const char *mark = strchr(word, '?');
    return mark && (strncmp(mark + 1, "index=", 6) == 0 || strstr(mark, "&index="));
}

static enum rc check_word(const struct options *o, struct err *err)
{
    if (o->nwords != 1 || !drivers_is_table(o->words[0])) {
        (void)err_set(err, RC_USAGE, "a backfill needs one live table");
        return err_hint(err, "dynamodb:TABLE");
    }
    if (o->index || names_index(o->words[0])) {
        (void)err_set(err, RC_USAGE, "a backfill reads the table, not an index of it");
        return err_hint(err, "leave the index out");
    }
    return RC_OK;
}

/* The scan looked at the table again: its capacity may have changed. thread: main */
static void looked(void *ctx, const struct dynamodb_table *now)
{
    struct backfill_job *b = ctx;
    struct budget_limits l = write_pace_limits(&b->pace, now);
    if (l.start != b->limits.start || l.max != b->limits.max)
        budget_set_limits(&b->writes, l, env_real.mono_us(NULL));
    b->limits = l;
}

enum rc backfill_job_table(struct backfill_job *b, struct err *err)
{
    struct options o = *b->o;
    o.max_age = NULL; /* a pass may be resumed at any age, for every write has its condition */
    o.scatter = true;
    if (o.undo)
        o.ttl = "off"; /* an undo does not ask whether items have expired */
    enum rc rc = check_word(&o, err);
    if (!rc)
        rc = parse_pace(o.wcu, &b->pace, err);
    if (!rc)
        rc = job_allowance("max-rejects", o.max_rejects, &b->rejects, err);
    if (!rc)
        rc = job_allowance("max-unrouted", o.max_unrouted, &b->unrouted, err);
    if (!rc)
        rc = job_now(&o, &b->now_us, err);
    if (!rc)
        rc = job_source(&b->job, o.words, 1, &o, err);
    if (rc)
        return rc;
    b->limits = write_pace_limits(&b->pace, scan_facts(b->job.source).table);
    budget_set_limits(&b->writes, b->limits, env_real.mono_us(NULL));
    scan_on_look(b->job.source, looked, b);
    return RC_OK;
}

enum rc backfill_job_model(struct backfill_job *b, struct err *err)
{
    struct job *job = &b->job;
    const char *path = b->o->model;
    enum rc rc = job_model(job, path, b->o, err);
    if (rc)
        return rc;
    rc = recipe_new(job->plan, scan_facts(job->source).table, &b->recipe, &job->problems, err);
    if (rc != RC_NOMEM)
        rc = job_problems(job, path, rc, err);
    if (!rc)
        table_prepare_tell_ttl(job, b->o);
    return rc;
}

void backfill_job_dir(const struct backfill_job *b, char out[FS_PATH])
{
    if (b->o->state) {
        fs_path(out, "%s", b->o->state);
    } else {
        fs_path(out, "renorm-backfill-%.*s", STR_FMT(scan_facts(b->job.source).table->name));
    }
}

static bool allows(const struct allowance *a)
{
    return a->percent < 0 ? a->count > 0 : a->percent > 0;
}

struct fill_setup backfill_job_setup(struct backfill_job *b)
{
    const struct options *o = b->o;
    int64_t items = scan_facts(b->job.source).items;
    b->progress.quiet = o->quiet;
    b->progress.json = tell_is_json();
    b->progress.total = items > 0 ? (uint64_t)items : 0;
    return (struct fill_setup){.plan = b->job.plan,
                               .recipe = b->recipe,
                               .source = b->job.source,
                               .tolerant = allows(&b->rejects) || allows(&b->unrouted),
                               .writes = &b->writes,
                               .workers = (uint32_t)o->workers,
                               .in_flight = (uint32_t)o->in_flight,
                               .now_us = b->now_us,
                               .stop = b->job.stop,
                               .env = &env_real,
                               .tick = backfill_progress_tick,
                               .tick_ctx = &b->progress};
}
