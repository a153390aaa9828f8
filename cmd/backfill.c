/* SPDX-License-Identifier: MIT */
/*
 * New attributes onto the items of a live table: rehearsed, written, or taken back. The state
 * folder holds the progress of a pass and the journal of all that was ever written.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/backfill_job.h"
#include "cmd/backfill_rehearsal.h"
#include "cmd/backfill_sheet.h"
#include "cmd/commands.h"
#include "cmd/exit.h"

/* A report that cannot be written spoils a run that went well; no other. */
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
        (void)fwrite(text->p, 1, text->len, stdout);
    (void)fflush(stdout);
    buf_clear(text);
    return rc;
}

/* What the operator should do, or know, next. */
static void tell_next(const struct backfill_job *b, const struct fill_result *r,
                      const char *dir, uint64_t listed, struct buf *out)
{
    uint64_t unjudged =
        listed + backfill_count(r, FATE_SKIPPED) + backfill_count(r, FATE_UNROUTED);
    if (backfill_count(r, FATE_CHANGED) == 0) {
        buf_addf(out, "\nnothing was written%s\n",
                 unjudged ? "" : ": no item lacked what the model says");
    }
    if (listed)
        buf_addf(out, "\n%" PRIu64 " items are listed in %s/listed.jsonl\n", listed, dir);
    if (backfill_count(r, FATE_CHANGED)) {
        buf_addf(out,
                 "\nthe journal is in %s; \"renorm backfill %s --undo %s\" puts the old "
                 "values back\n",
                 dir, b->o->words[0], dir);
    }
}

static enum rc report(struct backfill_job *b, const struct state *state,
                      const struct fill_result *r, enum rc rc, struct err *err)
{
    struct buf text;
    struct err late = {0};
    uint64_t listed = backfill_count(r, FATE_CONFLICTED) + backfill_count(r, FATE_FAILED);
    buf_init(&text, (size_t)64 << 20);
    backfill_sheet_json(b->job.model, r, rc, NULL, &text);
    enum rc written = backfill_job_summary(b, &text, &late);
    buf_clear(&text);
    if (rc == RC_OK || rc == RC_FINISHED_BAD) {
        backfill_sheet_print(b->job.model, r, &text);
        tell_next(b, r, state->dir, listed, &text);
        if (!written)
            written = print(&text, b->o->quiet, &late);
    }
    buf_release(&text);
    return also(rc, written, &late, err);
}

static enum rc fill(struct backfill_job *b, struct err *err)
{
    struct state state = {.lock = -1};
    struct fill_result result = {0};
    char dir[FS_PATH];
    backfill_job_dir(b, dir);
    struct state_wish wish = {.dir = dir,
                              .kind = PASS_FILL,
                              .table = b->job.source->identity,
                              .model = b->job.model->hash,
                              .segments = b->job.source->segments,
                              .now_us = b->now_us,
                              .restart = b->o->restart};
    enum rc rc = state_open(&state, &wish, err);
    if (rc)
        return rc;
    struct fill_setup setup = backfill_job_setup(b);
    setup.state = &state;
    setup.now_us = state_pass(&state)->now_us;
    b->progress.writes = &b->writes;
    rc = fill_run(&setup, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = backfill_judge(&result, &b->rejects, &b->unrouted, err);
    if (result.counts)
        rc = report(b, &state, &result, rc, err);
    fill_result_release(&result);
    state_close(&state);
    return rc;
}

static enum rc undo_judge(const struct backfill_job *b, const struct undo_result *r,
                          struct err *err)
{
    uint64_t ends = r->restored + r->already + r->conflicted + r->failed;
    if (ends != r->intents) {
        return err_set(err, RC_SINK,
                       "the balance does not add up: %" PRIu64
                       " changes in the journal, %" PRIu64 " accounted for",
                       r->intents, ends);
    }
    if (!allowance_exceeded(&b->rejects, r->conflicted + r->failed, r->intents))
        return RC_OK;
    return err_set(err, RC_FINISHED_BAD,
                   "%" PRIu64 " items were changed by others since, %" PRIu64
                   " failed: more than allowed",
                   r->conflicted, r->failed);
}

static enum rc undo_report(struct backfill_job *b, const struct undo_result *r, enum rc rc,
                           struct err *err)
{
    struct buf text;
    struct err late = {0};
    buf_init(&text, (size_t)1 << 20);
    backfill_undo_json(r, rc, &text);
    enum rc written = backfill_job_summary(b, &text, &late);
    buf_clear(&text);
    if (!written && (rc == RC_OK || rc == RC_FINISHED_BAD)) {
        backfill_undo_print(r, &text);
        if (r->conflicted + r->failed)
            buf_addf(&text, "\nwhat was left as it is stands in %s/listed.jsonl\n", b->o->undo);
        written = print(&text, b->o->quiet, &late);
    }
    buf_release(&text);
    return also(rc, written, &late, err);
}

static enum rc undo(struct backfill_job *b, struct err *err)
{
    struct state state = {.lock = -1};
    struct undo_result result = {0};
    struct state_wish wish = {.dir = b->o->undo,
                              .kind = PASS_UNDO,
                              .table = b->job.source->identity,
                              .segments = 1,
                              .now_us = b->now_us,
                              .restart = b->o->restart};
    enum rc rc = state_open(&state, &wish, err);
    if (rc)
        return rc;
    struct fill_setup setup = backfill_job_setup(b);
    setup.state = &state;
    b->progress.writes = &b->writes;
    b->progress.total = 0;
    b->progress.undo = true;
    rc = undo_run(&setup, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = undo_judge(b, &result, err);
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

int cmd_backfill(const struct options *o)
{
    struct backfill_job b;
    struct err err = {0};
    backfill_job_init(&b, o);
    enum rc rc = check(o, &err);
    if (!rc)
        rc = backfill_job_table(&b, &err);
    if (!rc && !o->undo)
        rc = backfill_job_model(&b, &err);
    if (!rc && o->undo) {
        rc = undo(&b, &err);
    } else if (!rc && o->dry_run) {
        rc = backfill_rehearse(&b, &err);
    } else if (!rc) {
        rc = fill(&b, &err);
    }
    backfill_job_release(&b);
    return exit_tell(rc, &err);
}
