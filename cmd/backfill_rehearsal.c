/* SPDX-License-Identifier: MIT */
/*
 * Every worker gathers for itself; the sums are printed by entity, then for the table. Pairs are
 * real values of real items: they go to standard output and nowhere else.
 */
#include "cmd/backfill_rehearsal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmd/backfill_forecast.h"
#include "cmd/backfill_sheet.h"
#include "cmd/plain.h"

/* ---- one entity ---------------------------------------------------------------------------- */

static uint64_t all_of(const struct rehearse_entity *e)
{
    uint64_t n = 0;
    for (int f = 0; f < FATES; f++)
        n += e->fates[f];
    return n;
}

static void fate_line(const char *name, uint64_t n, struct buf *out)
{
    if (n)
        buf_addf(out, "  %-28s %14" PRIu64 "\n", name, n);
}

static void print_fates(const struct rehearse_entity *e, const struct forecast *f,
                        struct buf *out)
{
    buf_addf(out, "  %-28s %14" PRIu64 "\n", "items", all_of(e));
    buf_addf(out, "  %-28s %14" PRIu64, "to change", e->fates[FATE_CHANGED]);
    if (f->scale > 1) {
        buf_addf(out, " (about %.0f of the whole table)",
                 f->scale * (double)e->fates[FATE_CHANGED]);
    }
    buf_addf(out, "\n  %-28s %14" PRIu64 "\n", "already right", e->fates[FATE_ALREADY]);
    fate_line("skipped", e->fates[FATE_SKIPPED], out);
    fate_line("filtered", e->fates[FATE_FILTERED], out);
    fate_line("unrouted", e->fates[FATE_UNROUTED], out);
    fate_line("would fail", e->fates[FATE_FAILED], out);
    for (uint32_t i = 0; i < e->nreasons; i++) {
        buf_addf(out, "    %-26s %14" PRIu64 "  ", e->reasons[i].reason, e->reasons[i].count);
        plain_add(out, str_of(e->reasons[i].example), sizeof e->reasons[i].example);
        buf_putc(out, '\n');
    }
}

static void print_entity(struct str name, const struct rehearse_entity *e,
                         const struct forecast *f, struct buf *out)
{
    buf_addf(out, "\n%.*s\n", STR_FMT(name));
    print_fates(e, f, out);
    if (e->fates[FATE_CHANGED]) {
        buf_addf(out, "  %-28s %14" PRIu64 " of the table, %" PRIu64 " of its indexes\n",
                 "write units", e->units.table, e->units.indexes);
        forecast_entity(f, e, out);
    }
    for (uint32_t i = 0; i < e->npairs; i++) {
        buf_addf(out, "  %s\n    before %s\n    after  %s\n", e->pairs[i].key,
                 e->pairs[i].before, e->pairs[i].after);
    }
    for (uint32_t i = 0; i < e->nspreads; i++)
        forecast_spread(f, &e->spreads[i], out);
    forecast_failures(e, out);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_state(const struct backfill_job *b, struct buf *out)
{
    struct state state = {.lock = -1};
    struct err ignored = {0};
    char dir[FS_PATH];
    backfill_job_dir(b, dir);
    enum rc rc = state_look(&state, dir, &ignored);
    if (rc == RC_END) {
        forecast_line(out, "state", "%s, to be made", dir);
    } else if (rc) {
        forecast_line(out, "state", "%s, and it cannot be read: %s", dir, ignored.msg);
    } else {
        const struct pass_info *last = state.n ? &state.passes[state.n - 1] : NULL;
        bool open = last && !last->finished && !last->abandoned;
        forecast_line(out, "state", "%s, with %u %s%s", dir, state.n,
                      state.n == 1 ? "pass" : "passes",
                      open ? ", the last one unfinished: it would be resumed" : "");
        state_close(&state);
    }
}

static void print_head(const struct backfill_job *b, const struct forecast *f, struct buf *out)
{
    const struct scan_facts *facts = &f->facts;
    forecast_line(out, "table", "%.*s",
                  STR_FMT(facts->table->arn.n ? facts->table->arn : facts->table->name));
    if (f->scale > 1) {
        forecast_line(out, "sample",
                      "%" PRIu64 " items read of about %" PRId64
                      " (the service's own count, hours old): totals are extrapolated",
                      f->read, facts->items);
    } else if (b->o->sample && f->read >= b->o->sample) {
        forecast_line(out, "sample",
                      "%" PRIu64 " items read; the service counts %" PRId64
                      ", so nothing can be extrapolated",
                      f->read, facts->items);
    } else {
        forecast_line(out, "items", "%" PRIu64 ", all read", f->read);
    }
    print_state(b, out);
}

static enum rc print_all(struct backfill_job *b, struct rehearse *all, struct forecast *f,
                         struct buf *out, struct err *err)
{
    const struct model *m = b->job.model;
    enum ddb_pitr pitr = DDB_PITR_UNKNOWN;
    enum rc rc = ddb_table_pitr(scan_ddb(b->job.source), f->facts.table->name, &pitr, err);
    if (rc)
        return rc;
    print_head(b, f, out);
    for (uint32_t i = 0; i <= m->nentities; i++) {
        const struct rehearse_entity *e = rehearse_entity(all, i);
        struct str name = i < m->nentities ? m->entities[i].name : STR("(no entity)");
        if (i < m->nentities || all_of(e))
            print_entity(name, e, f, out);
    }
    buf_putc(out, '\n');
    forecast_print(f, out);
    buf_putc(out, '\n');
    rehearse_warnings(b->job.plan, f->facts.table, pitr,
                      (uint64_t)(f->scale * (double)f->to_change), out);
    forecast_indexes(f, out);
    if (f->to_change == 0) {
        buf_addf(out, "nothing would be written%s\n",
                 f->unjudged ? "" : ": no item lacks what the model says");
    }
    return RC_OK;
}

static enum rc tell(struct backfill_job *b, struct rehearse *all, struct fill_result *r,
                    struct forecast *f, enum rc verdict, struct err *err)
{
    struct buf text, extra;
    buf_init(&text, (size_t)64 << 20);
    buf_init(&extra, 4096);
    buf_addf(&extra,
             "\"dry_run\":true,\"estimate\":{\"scale\":%.3f,\"to_change\":%.0f,"
             "\"table_units\":%.0f,\"index_units\":%.0f,\"read_units\":%.0f,"
             "\"seconds\":%.0f,\"on_demand_usd\":%.2f}",
             f->scale, f->scale * (double)f->to_change, f->table_units, f->index_units,
             f->facts.units, f->seconds, f->usd);
    r->table_units = f->table_units;
    r->index_units = f->index_units;
    backfill_sheet_json(b->job.model, r, verdict, buf_cstr(&extra), &text);
    enum rc rc = backfill_job_summary(b, &text, err);
    buf_clear(&text);
    if (!rc)
        rc = print_all(b, all, f, &text, err);
    if (!rc)
        rc = buf_check(&text, err);
    if (!rc && !b->o->quiet)
        (void)fwrite(text.p, 1, text.len, stdout);
    buf_release(&extra);
    buf_release(&text);
    return rc;
}

/* ---- gathering ----------------------------------------------------------------------------- */

struct gathered {
    struct rehearse *r; /* one worker's */
};

static enum rc look(void *ctx, uint32_t worker, const struct item *item, const struct change *c,
                    struct err *err)
{
    struct gathered *all = ctx;
    return rehearse_add(all[worker].r, item, c, err);
}

static enum rc conclude(struct backfill_job *b, struct gathered *all, struct fill_result *r,
                        struct err *err)
{
    struct scan_facts facts = scan_facts(b->job.source);
    struct rehearse *sum = all[0].r;
    struct forecast f;
    struct err verdict = {0};
    enum rc rc = RC_OK;
    for (uint32_t i = 1; !rc && i < b->o->workers; i++)
        rc = rehearse_merge(sum, all[i].r, err);
    if (rc)
        return rc;
    bool sampled = b->o->sample && r->read >= b->o->sample;
    forecast_init(&f, &facts, b->limits, r->read, sampled);
    for (uint32_t i = 0; i <= b->job.model->nentities; i++)
        forecast_add(&f, rehearse_entity(sum, i));
    forecast_finish(&f);
    enum rc bad = backfill_judge(r, &b->rejects, &b->unrouted, &verdict);
    rc = tell(b, sum, r, &f, bad, err);
    if (!rc && bad) {
        *err = verdict;
        rc = bad;
    }
    return rc;
}

static enum rc gather(struct backfill_job *b, struct gathered *all, struct err *err)
{
    struct fill_result result = {0};
    struct fill_setup setup = backfill_job_setup(b);
    setup.look = look;
    setup.look_ctx = all;
    setup.sample = b->o->sample;
    enum rc rc = fill_run(&setup, &result, err);
    backfill_progress_end(&b->progress);
    if (!rc)
        rc = conclude(b, all, &result, err);
    fill_result_release(&result);
    return rc;
}

enum rc backfill_rehearse(struct backfill_job *b, struct err *err)
{
    uint32_t n = (uint32_t)b->o->workers;
    struct gathered *all = calloc(n, sizeof *all);
    if (!all)
        return err_nomem(err);
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < n; i++) {
        all[i].r = rehearse_new(b->job.plan, scan_facts(b->job.source).table);
        rc = all[i].r ? RC_OK : err_nomem(err);
    }
    if (!rc)
        rc = gather(b, all, err);
    for (uint32_t i = 0; i < n; i++)
        rehearse_free(all[i].r);
    free(all);
    return rc;
}
