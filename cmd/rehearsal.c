/* SPDX-License-Identifier: MIT */
/* backfill --dry-run: reads the table, and prints what the backfill would write and cost. */
#include "cmd/rehearsal.h"

#include <stdio.h>

#include "cmd/print/backfill_balance.h"
#include "cmd/print/backfill_dry_run.h"
#include "sinks/dynamodb/fill/fill_verdict.h"
#include "sinks/dynamodb/rehearsal/rehearse_table.h"

static void summarize(const struct backfill_job *b, const struct forecast *f,
                      struct fill_result *r)
{
    struct buf extra;
    buf_init(&extra, 4096);
    backfill_dry_run_json(f, &extra);
    r->table_units = f->table_units;
    r->index_units = f->index_units;
    backfill_balance_json(b->job.model, r, buf_cstr(&extra), &b->out->members);
    backfill_balance_metrics(r, &b->out->metrics);
    buf_release(&extra);
}

static enum rc print(const struct backfill_job *b, struct rehearse *gathered,
                     const struct forecast *f, struct err *err)
{
    struct backfill_dry_run sheet = {b, gathered, f, DDB_PITR_UNKNOWN};
    struct buf text;
    enum rc rc =
        dynamodb_table_pitr(scan_ddb(b->job.source), f->facts.table->name, &sheet.pitr, err);
    if (rc)
        return rc;
    buf_init(&text, (size_t)64 << 20);
    backfill_dry_run_print(&sheet, &text);
    rc = buf_check(&text, err);
    if (!rc && !b->o->quiet)
        (void)fwrite(text.p, 1, text.len, stdout);
    buf_release(&text);
    return rc;
}

static struct forecast make_forecast(const struct backfill_job *b, struct rehearse *gathered,
                                     uint64_t read)
{
    struct scan_facts facts = scan_facts(b->job.source);
    struct forecast f;
    forecast_init(&f, &facts, b->limits, read, b->o->sample && read >= b->o->sample);
    for (uint32_t i = 0; i <= b->job.model->nentities; i++)
        forecast_add(&f, rehearse_entity(gathered, i));
    forecast_finish(&f);
    return f;
}

/* The sheet is printed whatever the verdict is; the command ends with the verdict. */
static enum rc tell(const struct backfill_job *b, struct rehearse *gathered,
                    struct fill_result *r, struct err *err)
{
    struct forecast f = make_forecast(b, gathered, r->read);
    struct err why = {0};
    enum rc verdict = fill_verdict(r, &b->rejects, &b->unrouted, &why);
    summarize(b, &f, r);
    enum rc rc = print(b, gathered, &f, err);
    if (!rc && verdict) {
        *err = why;
        rc = verdict;
    }
    return rc;
}

enum rc rehearsal_run(struct backfill_job *b, struct err *err)
{
    struct fill_result result = {0};
    struct rehearse *gathered = NULL;
    struct fill_setup setup = backfill_job_setup(b);
    enum rc rc = rehearse_table(&setup, b->o->sample, &gathered, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = tell(b, gathered, &result, err);
    rehearse_free(gathered);
    fill_result_release(&result);
    return rc;
}
