/* SPDX-License-Identifier: MIT */
/*
 * Entities come first, then the table. Pairs are real values of real items: they go to standard
 * output and nowhere else.
 */
#include "cmd/print/backfill_dry_run.h"

#include <inttypes.h>

#include "cmd/print/forecast_lines.h"
#include "cmd/print/plain.h"

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
    if (rc == RC_NONE) {
        plain_line(out, "state", "%s, to be made", dir);
    } else if (rc) {
        plain_line(out, "state", "%s, and it cannot be read: %s", dir, ignored.msg);
    } else {
        const struct pass_info *last = state.n ? &state.passes[state.n - 1] : NULL;
        bool open = last && !last->finished && !last->abandoned;
        plain_line(out, "state", "%s, with %u %s%s", dir, state.n,
                   state.n == 1 ? "pass" : "passes",
                   open ? ", the last one unfinished: it would be resumed" : "");
        state_close(&state);
    }
}

static void print_head(const struct backfill_job *b, const struct forecast *f, struct buf *out)
{
    const struct scan_facts *facts = &f->facts;
    plain_line(out, "table", "%.*s",
               STR_FMT(facts->table->arn.n ? facts->table->arn : facts->table->name));
    if (f->scale > 1) {
        plain_line(out, "sample",
                   "%" PRIu64 " items read of about %" PRId64
                   " (the service's own count, hours old): totals are extrapolated",
                   f->read, facts->items);
    } else if (b->o->sample && f->read >= b->o->sample) {
        plain_line(out, "sample",
                   "%" PRIu64 " items read; the service counts %" PRId64
                   ", so nothing can be extrapolated",
                   f->read, facts->items);
    } else {
        plain_line(out, "items", "%" PRIu64 ", all read", f->read);
    }
    print_state(b, out);
}

void backfill_dry_run_print(const struct backfill_dry_run *s, struct buf *out)
{
    const struct model *m = s->job->job.model;
    const struct forecast *f = s->forecast;
    print_head(s->job, f, out);
    for (uint32_t i = 0; i <= m->nentities; i++) {
        const struct rehearse_entity *e = rehearse_entity(s->gathered, i);
        struct str name = i < m->nentities ? m->entities[i].name : STR("(no entity)");
        if (i < m->nentities || all_of(e))
            print_entity(name, e, f, out);
    }
    buf_putc(out, '\n');
    forecast_print(f, out);
    buf_putc(out, '\n');
    rehearse_warnings(s->job->job.plan, f->facts.table, s->pitr,
                      (uint64_t)(f->scale * (double)f->to_change), out);
    forecast_indexes(f, out);
    if (f->to_change == 0) {
        buf_addf(out, "nothing would be written%s\n",
                 f->unjudged ? "" : ": no item lacks what the model says");
    }
}

void backfill_dry_run_json(const struct forecast *f, struct buf *out)
{
    buf_addf(out,
             "\"dry_run\":true,\"estimate\":{\"scale\":%.3f,\"to_change\":%.0f,"
             "\"table_units\":%.0f,\"index_units\":%.0f,\"read_units\":%.0f,"
             "\"seconds\":%.0f,\"on_demand_usd\":%.2f}",
             f->scale, f->scale * (double)f->to_change, f->table_units, f->index_units,
             f->facts.units, f->seconds, f->usd);
}
