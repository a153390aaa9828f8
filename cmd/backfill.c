/* SPDX-License-Identifier: MIT */
/*
 * backfill: writes new attributes onto the items of a live table, rehearses that, or takes it back.
 * The state folder holds the progress of a pass and the journal of all that was ever written.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/open/backfill_job.h"
#include "cmd/print/backfill_balance.h"
#include "cmd/print/plain.h"
#include "cmd/rehearsal.h"
#include "cmd/version.h"
#include "sinks/dynamodb/fill/fill_verdict.h"

enum { MAX_TEXT = 64 << 20 };

/* A report that cannot be written spoils a run that went well, and no other. */
static enum rc also(enum rc rc, enum rc written, const struct err *late, struct err *err)
{
    if (rc || !written)
        return rc;
    *err = *late;
    return written;
}

static enum rc print(struct buf *text, bool quiet, struct err *err)
{
    enum rc rc = buf_check(text, err);
    if (!rc && !quiet)
        plain_print(buf_view(text));
    (void)fflush(stdout);
    buf_clear(text);
    return rc;
}

/* Tells what the operator should know or do next. */
static void tell_next(const struct backfill_job *b, const struct fill_result *r,
                      const char *dir, uint64_t listed, struct buf *out)
{
    uint64_t unjudged = listed + fill_count(r, FATE_SKIPPED) + fill_count(r, FATE_UNROUTED);
    if (fill_count(r, FATE_CHANGED) == 0) {
        buf_addf(out, "\nnothing was written%s\n",
                 unjudged ? "" : ": no item lacked what the model says");
    }
    if (listed)
        buf_addf(out, "\n%" PRIu64 " items are listed in %s/listed.jsonl\n", listed, dir);
    if (fill_count(r, FATE_CHANGED)) {
        buf_addf(out,
                 "\nthe journal is in %s; \"renorm backfill %s --undo %s\" puts the old "
                 "values back\n",
                 dir, b->o->words[0], dir);
    }
}

/* People are told of a pass that was finished. The text is released. */
static enum rc tell(struct backfill_job *b, struct buf *text, enum rc rc, struct err *err)
{
    struct err late = {0};
    enum rc written = RC_OK;
    if (!rc || rc == RC_FINISHED_BAD)
        written = print(text, b->o->quiet, &late);
    buf_release(text);
    return also(rc, written, &late, err);
}

static enum rc report(struct backfill_job *b, const struct state *state,
                      const struct fill_result *r, enum rc rc, struct err *err)
{
    struct buf text;
    uint64_t listed = fill_count(r, FATE_CONFLICTED) + fill_count(r, FATE_FAILED);
    buf_init(&text, MAX_TEXT);
    backfill_balance_json(b->job.model, r, NULL, &b->out->members);
    backfill_balance_metrics(r, &b->out->metrics);
    backfill_balance_print(b->job.model, r, &text);
    tell_next(b, r, state->dir, listed, &text);
    return tell(b, &text, rc, err);
}

/* Opens the state of a pass, and the setup that the pass runs with. The caller says in wish what
   only this pass knows, and closes the state. */
static enum rc begin(struct backfill_job *b, struct state_wish wish, struct state *state,
                     struct fill_setup *setup, struct err *err)
{
    wish.table = b->job.source->identity;
    wish.now_us = b->now_us;
    wish.restart = b->o->restart;
    wish.renorm = version();
    enum rc rc = state_open(state, &wish, err);
    if (rc)
        return rc;
    *setup = backfill_job_setup(b);
    setup->state = state;
    backfill_progress_upgraded(&b->progress, state);
    b->progress.writes = &b->writes;
    return RC_OK;
}

static enum rc fill(struct backfill_job *b, struct err *err)
{
    struct state state = {.lock = -1};
    struct fill_result result = {0};
    char dir[FS_PATH];
    backfill_job_dir(b, dir);
    struct fill_setup setup;
    struct state_wish wish = {.dir = dir,
                              .kind = PASS_FILL,
                              .model = b->job.model->hash,
                              .segments = b->job.source->segments};
    enum rc rc = begin(b, wish, &state, &setup, err);
    if (rc)
        return rc;
    setup.now_us = state_pass(&state)->now_us;
    rc = fill_run(&setup, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = fill_verdict(&result, &b->rejects, &b->unrouted, err);
    if (result.counts)
        rc = report(b, &state, &result, rc, err);
    fill_result_release(&result);
    state_close(&state);
    return rc;
}

static enum rc undo_report(struct backfill_job *b, const struct undo_result *r, enum rc rc,
                           struct err *err)
{
    struct buf text;
    buf_init(&text, MAX_TEXT);
    backfill_undo_json(r, &b->out->members);
    backfill_undo_metrics(r, &b->out->metrics);
    backfill_undo_print(r, &text);
    if (r->conflicted + r->failed)
        buf_addf(&text, "\nwhat was left as it is stands in %s/listed.jsonl\n", b->o->undo);
    return tell(b, &text, rc, err);
}

static enum rc undo(struct backfill_job *b, struct err *err)
{
    struct state state = {.lock = -1};
    struct undo_result result = {0};
    struct fill_setup setup;
    struct state_wish wish = {.dir = b->o->undo, .kind = PASS_UNDO, .segments = 1};
    enum rc rc = begin(b, wish, &state, &setup, err);
    if (rc)
        return rc;
    b->progress.total = 0;
    b->progress.undo = true;
    rc = undo_run(&setup, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = fill_verdict_undo(&result, &b->rejects, err);
    rc = undo_report(b, &result, rc, err);
    state_close(&state);
    return rc;
}

static enum rc check(const struct options *o, struct err *err)
{
    if (o->undo && (o->model || o->dry_run || o->state)) {
        (void)err_set(err, RC_USAGE,
                      "--undo stands alone: without a model, --state or --dry-run");
        return err_hint(err, "renorm backfill dynamodb:TABLE --undo STATE");
    }
    if (o->nwords == 0) {
        (void)err_set(err, RC_USAGE, "backfill needs a live table");
        return err_hint(err, "renorm backfill dynamodb:TABLE -m model.json --dry-run");
    }
    if (!o->undo && !o->model) {
        (void)err_set(err, RC_USAGE, "no model given");
        return err_hint(err, "name one with -m FILE");
    }
    if (o->sample && !o->dry_run)
        return err_set(err, RC_USAGE, "--sample is for --dry-run: a backfill reads all items");
    return RC_OK;
}

enum rc cmd_backfill(const struct options *o, struct ending *out, struct err *err)
{
    struct backfill_job b;
    backfill_job_init(&b, o, out);
    enum rc rc = check(o, err);
    if (!rc)
        rc = backfill_job_table(&b, err);
    if (!rc && !o->undo)
        rc = backfill_job_model(&b, err);
    if (!rc && o->undo) {
        rc = undo(&b, err);
    } else if (!rc && o->dry_run) {
        rc = rehearsal_run(&b, err);
    } else if (!rc) {
        rc = fill(&b, err);
    }
    backfill_job_release(&b);
    return rc;
}
