/* SPDX-License-Identifier: MIT */
/* The frame of a run: open, read, verdict, finish, publish. */
#include "pipeline/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/item/timestamp.h"
#include "pipeline/run/export_private.h"

bool run_allowance_exceeded(const struct allowance *a, uint64_t n, uint64_t read)
{
    if (a->percent < 0)
        return n > a->count;
    return (double)n > a->percent / 100.0 * (double)read;
}

/*
 * Waits for the other processes of the run, and does what those have left that are gone: of several
 * that wait for each other somebody must. What was complete from the start has nothing to be read.
 */
static enum rc wait_for_others(const struct run_setup *setup, struct run_result *out,
                               struct err *err)
{
    const struct sink_ops *ops = setup->sink->ops;
    struct claim_list left = {0};
    enum rc rc = ops->sums ? RC_AGAIN : RC_OK;
    while (rc == RC_AGAIN) {
        rc = ops->sums(setup->sink, out->counters, out->state.complete ? NULL : &left, err);
        if (rc != RC_AGAIN)
            break;
        rc = export_read(setup, out, &left, err);
        if (!rc)
            rc = RC_AGAIN;
    }
    return rc;
}

/* The counts of the whole run, whoever read its items. */
static enum rc sum_up(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    enum rc rc = wait_for_others(setup, out, err);
    if (rc)
        return rc;
    const uint64_t *c = out->counters;
    uint64_t fates = c[CNT_ROUTED] + c[CNT_FILTERED] + c[CNT_UNROUTED] + c[CNT_REJECTED];
    if (c[CNT_READ] != fates) {
        return err_set(err, RC_SINK,
                       "the balance does not add up: %llu items read, %llu accounted for",
                       (unsigned long long)c[CNT_READ], (unsigned long long)fates);
    }
    return RC_OK;
}

/* Rows that are added take nothing away: there too many rejects are told, and no reason to hold. */
static void check_allowance(const struct run_setup *setup, const uint64_t *c, struct verdict *v)
{
    bool rejects = run_allowance_exceeded(&setup->rejects, c[CNT_REJECTED], c[CNT_READ]);
    bool unrouted = run_allowance_exceeded(&setup->unrouted, c[CNT_UNROUTED], c[CNT_READ]);
    char why[128];
    v->rejected = c[CNT_REJECTED];
    v->unrouted = c[CNT_UNROUTED];
    v->above_allowance = rejects || unrouted;
    if (!v->above_allowance)
        return;
    (void)snprintf(why, sizeof why, "%llu item%s rejected, %llu unrouted: more than allowed",
                   (unsigned long long)v->rejected, v->rejected == 1 ? "" : "s",
                   (unsigned long long)v->unrouted);
    if (setup->sink->effect == SINK_ADDS) {
        (void)snprintf(v->why, sizeof v->why, "%s", why);
        return;
    }
    verdict_hold(v,
                 rejects && unrouted ? "a higher --max-rejects and --max-unrouted"
                 : rejects           ? "a higher --max-rejects"
                                     : "a higher --max-unrouted",
                 "%s", why);
}

/* Findings that the operator does not want; the first few are named. */
static void check_shape(const struct run_setup *setup, struct run_result *out)
{
    enum { NAMED = 3 };
    const struct profile *p = &out->profile;
    size_t n = 0;
    for (size_t i = 0; setup->fail_on && i < p->nfindings; i++) {
        const struct finding *f = &p->findings[i];
        if (!(setup->fail_on & 1u << f->kind) || n++ >= NAMED)
            continue;
        verdict_hold(&out->verdict, "a shorter --fail-on", "%s: %.*s%s%.*s",
                     profile_finding_name(f->kind), (int)(f->place.n < 60 ? f->place.n : 60),
                     f->place.p, f->name.n ? " " : "", (int)(f->name.n < 60 ? f->name.n : 60),
                     f->name.p);
    }
    if (n > NAMED)
        verdict_hold(&out->verdict, NULL, "%zu more findings of --fail-on", n - NAMED);
}

/* All that can be a reason to hold the run; its rows are counted, table by table, in the report. */
static enum rc check_result(const struct run_setup *setup, struct run_result *out,
                            struct err *err)
{
    check_allowance(setup, out->counters, &out->verdict);
    check_shape(setup, out);
    return guards_check(setup, out, err);
}

/* The sink itself found that this cannot be shown: err, which stays as it is, says why. */
static void hold_refused(const struct run_setup *setup, struct run_result *out,
                         const struct err *err)
{
    struct err ignored = {0};
    size_t n = strcspn(err->msg, "\n");
    if (!out->verdict.held)
        verdict_hold(&out->verdict, NULL, "%.*s", (int)n, err->msg);
    if (setup->sink->ops->hold)
        (void)!setup->sink->ops->hold(setup->sink, &out->verdict, &out->report, &ignored);
}

static enum rc tell_verdict(const struct run_result *out, struct err *err)
{
    const struct verdict *v = &out->verdict;
    if (!v->held && !v->above_allowance)
        return RC_OK;
    (void)err_set(err, RC_FINISHED_BAD, "%s", v->why);
    if (!out->report.held)
        return RC_FINISHED_BAD;
    return err_hint(
        err,
        "the result is held, nothing was replaced; the same command with %s shows it, "
        "\"renorm publish\" as it is",
        v->but[0] ? v->but : "other options");
}

/* The shape of the data, beside that of the last run. */
static enum rc look_at_shape(const struct run_setup *setup, struct run_result *out,
                             struct err *err)
{
    struct sink *sink = setup->sink;
    struct buf json;
    buf_init(&json, BUF_NO_LIMIT);
    enum rc rc = sink->ops->extras ? sink->ops->extras(sink, &out->profile.extras, err) : RC_OK;
    if (!rc && sink->ops->profile_last)
        rc = sink->ops->profile_last(sink, &json, err);
    if (!rc)
        rc = profile_look(&out->profile, out->counters, buf_view(&json), err);
    buf_clear(&json);
    if (!rc && sink->ops->profile_keep) {
        profile_json(&out->profile, &json);
        rc = buf_check(&json, err);
        if (!rc)
            rc = sink->ops->profile_keep(sink, buf_view(&json), err);
    }
    buf_release(&json);
    return rc;
}

static enum rc conclude(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    struct sink *sink = setup->sink;
    out->verdict.guards = &setup->guards;
    enum rc rc = sum_up(setup, out, err);
    if (!rc)
        rc = sink->ops->finish(sink, &out->verdict, &out->report, err);
    if (!rc)
        rc = look_at_shape(setup, out, err);
    if (!rc)
        rc = check_result(setup, out, err);
    if (!rc && out->verdict.held && sink->ops->hold) {
        rc = sink->ops->hold(sink, &out->verdict, &out->report, err);
    } else if (!rc) {
        rc = sink->ops->publish(sink, &out->verdict, &out->report, err);
    }
    bool refused = rc == RC_FINISHED_BAD && !out->verdict.held;
    if (rc == RC_FINISHED_BAD)
        hold_refused(setup, out, err);
    return refused || (rc && rc != RC_FINISHED_BAD) ? rc : tell_verdict(out, err);
}

/* Times to live are compared with the moment at which the run began, by all of it. */
static enum rc check_now(const struct run_setup *setup, const struct run_state *state,
                         struct err *err)
{
    if (!state->resumed || !setup->info.now_given || state->now_us == setup->info.now_us)
        return RC_OK;
    struct buf began;
    buf_init(&began, 64);
    timestamp_add_stamp(&began, state->now_us);
    (void)err_set(err, RC_USAGE, "the unfinished run is as of %s, --now says another time",
                  buf_cstr(&began));
    buf_release(&began);
    return err_hint(err, "leave --now out to resume it; --restart abandons it");
}

static enum rc prepare(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    const struct schema *schema = &setup->plan->schema;
    out->counters = calloc(schema_counters(schema), sizeof *out->counters);
    out->report.tables = calloc(schema->ntables + 1, sizeof *out->report.tables);
    out->examples = note_examples_new(schema->nnotes);
    if (!out->counters || !out->report.tables || !out->examples)
        return err_nomem(err);
    if (profile_init(&out->profile, schema, err))
        return err->rc;
    setup->sink->watch =
        (struct sink_watch){setup->stop, setup->doing, setup->finishing, setup->tick_ctx};
    enum rc rc = setup->sink->ops->open(setup->sink, &setup->info, &out->state, err);
    if (!rc && out->state.counters) {
        memcpy(out->counters, out->state.counters,
               schema_counters(schema) * sizeof *out->counters);
    }
    if (!rc)
        rc = check_now(setup, &out->state, err);
    struct source *source = setup->source;
    if (!rc && out->state.resumed && !out->state.complete && source->ops->resume)
        rc = source->ops->resume(source, out->state.segments, out->state.now_us, err);
    return rc;
}

/* Of a run that is not finished: the rows that are safe. */
static void tell_committed(const struct run_setup *setup, struct run_result *out)
{
    if (!out->counters || !out->report.tables)
        return;
    for (uint32_t i = 0; i < setup->plan->schema.ntables; i++)
        out->report.tables[i].rows = out->counters[CNT_FIXED + i];
}

enum rc run_export(const struct run_setup *setup, struct run_result *out, struct err *err)
{
    *out = (struct run_result){0};
    int64_t start = setup->env->mono_us(setup->env->ctx);
    enum rc rc = prepare(setup, out, err);
    if (!rc && !out->state.complete)
        rc = export_read(setup, out, NULL, err);
    if (!rc) {
        rc = conclude(setup, out, err);
        if (rc == RC_CANCEL)
            rc = export_interrupted(setup, err);
    } else {
        tell_committed(setup, out);
    }
    if (rc == RC_CANCEL && atomic_load(setup->stop))
        rc = export_interrupted(setup, err);
    out->report.no_examples = setup->no_examples;
    if ((!rc || rc == RC_FINISHED_BAD) && setup->sink->ops->explain)
        setup->sink->ops->explain(setup->sink, &out->report);
    out->wall_us = setup->env->mono_us(setup->env->ctx) - start;
    out->metered = setup->source->ops->usage != NULL;
    if (out->metered)
        setup->source->ops->usage(setup->source, &out->usage);
    bool curable = rc == RC_TRANSIENT || rc == RC_THROTTLE || rc == RC_NOMEM || rc == RC_CANCEL;
    if (curable && !setup->source->resumable && rc != RC_CANCEL) {
        err->rc = rc = RC_SOURCE;
        (void)err_hint(err, "this source cannot be read again from where it stopped");
    }
    return rc;
}

void run_result_release(struct run_result *r)
{
    free(r->counters);
    note_examples_free(r->examples);
    free(r->report.tables);
    profile_release(&r->profile);
    *r = (struct run_result){0};
}
