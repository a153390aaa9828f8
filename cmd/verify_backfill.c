/* SPDX-License-Identifier: MIT */
/* verify --backfill: opens the table and the model, has the items judged, and tells. */
#include "cmd/verify_backfill.h"

#include <inttypes.h>
#include <stdio.h>

#include "cmd/open/backfill_job.h"
#include "cmd/print/backfill_balance.h"
#include "cmd/print/plain.h"
#include "pipeline/item/canon.h"
#include "sinks/dynamodb/fill/fill_verdict.h"
#include "sinks/dynamodb/fill/fill_verify.h"

enum { NAMED = 20, SHOWN = 200, MAX_TEXT = 64 << 20 };

/* Lines that are printed at the end. */
struct told {
    struct buf out;
    uint64_t named;
};

static void add_value(struct buf *out, const struct val *v)
{
    struct buf text;
    if (!v) {
        buf_puts(out, "missing");
        return;
    }
    buf_init(&text, MAX_TEXT);
    canon_ddb(&text, v);
    plain_add(out, buf_view(&text), SHOWN);
    buf_release(&text);
}

static void name_change(void *ctx, struct str key, const struct change *change)
{
    struct told *told = ctx;
    struct buf *out = &told->out;
    const char *sep = ": ";
    if (told->named++ >= NAMED)
        return;
    buf_puts(out, "wrong: ");
    plain_add(out, key, SHOWN);
    for (uint32_t i = 0; i < change->ntargets; i++) {
        const struct setting *t = &change->targets[i];
        bool same = t->old == t->new_ || (t->old && t->new_ && value_eq(t->old, t->new_));
        if (same)
            continue;
        buf_addf(out, "%s\"%.*s\" is ", sep, STR_FMT(t->path.members[0]));
        add_value(out, t->old);
        buf_puts(out, ", the model says ");
        add_value(out, t->new_);
        sep = "; ";
    }
    buf_putc(out, '\n');
}

static void name_failure(void *ctx, struct str key, const struct fault *why)
{
    struct told *told = ctx;
    struct buf *out = &told->out;
    if (told->named++ >= NAMED)
        return;
    buf_puts(out, "cannot be judged: ");
    if (key.n) {
        plain_add(out, key, SHOWN);
        buf_puts(out, ": ");
    }
    plain_add(out, str_of(why->detail), SHOWN);
    buf_putc(out, '\n');
}

/* One wrong item is too many. Failed and unrouted ones have the allowances of a backfill. */
static enum rc verdict(const struct backfill_job *b, const struct fill_verify *v,
                       struct err *err)
{
    const struct fill_result *r = &v->scanned;
    uint64_t unrouted = fill_count(r, FATE_UNROUTED);
    enum rc rc = fill_balance(r, err);
    if (rc)
        return rc;
    if (!v->wrong && !run_allowance_exceeded(&b->rejects, v->failed, r->read) &&
        !run_allowance_exceeded(&b->unrouted, unrouted, r->read))
        return RC_OK;
    return err_set(err, RC_FINISHED_BAD,
                   "%" PRIu64 " of %" PRIu64 " items do not carry what the model's backfill "
                   "says, %" PRIu64 " cannot be judged, %" PRIu64 " unrouted",
                   v->wrong, r->read, v->failed, unrouted);
}

static void add_sheet(const struct fill_verify *v, enum rc rc, struct buf *out)
{
    const struct fill_result *r = &v->scanned;
    buf_addf(out, "%s: %" PRIu64 " items read, %" PRIu64 " right, %" PRIu64 " wrong",
             rc ? "not verified" : "verified", r->read, fill_count(r, FATE_ALREADY), v->wrong);
    for (int f = FATE_SKIPPED; f <= FATE_UNROUTED; f++) {
        buf_addf(out, ", %" PRIu64 " %s", fill_count(r, (enum fate)f), recipe_fate_names[f]);
    }
    buf_addf(out, ", %" PRIu64 " failed\n", v->failed);
    if (v->settled) {
        buf_addf(out, "%" PRIu64 " more were wrong when scanned, and are right now or gone\n",
                 v->settled);
    }
}

static enum rc tell(const struct backfill_job *b, const struct fill_verify *v, struct buf *out,
                    struct err *err)
{
    char extra[128];
    enum rc rc = verdict(b, v, err);
    add_sheet(v, rc, out);
    if (!b->o->quiet)
        plain_print(buf_view(out));
    (void)snprintf(extra, sizeof extra,
                   "\"verify\":{\"wrong\":%" PRIu64 ",\"failed\":%" PRIu64
                   ",\"settled\":%" PRIu64 "}",
                   v->wrong, v->failed, v->settled);
    backfill_balance_json(b->job.model, &v->scanned, extra, &b->out->members);
    backfill_balance_metrics(&v->scanned, &b->out->metrics);
    return rc;
}

static enum rc run(struct backfill_job *b, struct err *err)
{
    struct told told = {.named = 0};
    struct fill_verify found;
    struct fill_setup setup = backfill_job_setup(b);
    struct fill_verify_report report = {
        .ctx = &told, .wrong = name_change, .failed = name_failure};
    buf_init(&told.out, MAX_TEXT);
    enum rc rc = fill_verify_run(&setup, &report, &found, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = tell(b, &found, &told.out, err);
    fill_verify_release(&found);
    buf_release(&told.out);
    return rc;
}

enum rc verify_backfill(const struct options *o, struct ending *out, struct err *err)
{
    struct backfill_job b;
    backfill_job_init(&b, o, out);
    enum rc rc = backfill_job_table(&b, err);
    if (!rc)
        rc = backfill_job_model(&b, err);
    if (!rc)
        rc = run(&b, err);
    backfill_job_release(&b);
    return rc;
}
