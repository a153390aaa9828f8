/* SPDX-License-Identifier: MIT */
/*
 * Why an item goes where it goes: which entity matched and why the ones before it did not,
 * what each stage did, and the rows. For one item, or for all items of a partition key.
 */
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/exit.h"
#include "cmd/explain_stage.h"
#include "cmd/items.h"
#include "cmd/job.h"
#include "pipeline/base/env.h"
#include "pipeline/run/pass.h"
#include "pipeline/run/route.h"
#include "pipeline/stage/stage.h"

struct explain {
    const struct job *job;
    const struct options *o;
    struct pass *pass;
    struct buf out;
    uint64_t shown;
};

static void say_routes(struct explain *x, const struct pass_trace *t)
{
    const struct model *m = x->job->model;
    for (uint32_t i = 0; i < m->nentities; i++) {
        bool matched = t->entity == i;
        buf_addf(&x->out, "  %s %.*s: ", matched ? "->" : "  ", STR_FMT(m->entities[i].name));
        (void)route_explain(x->job->plan, i, &t->item, &x->out);
        buf_putc(&x->out, '\n');
        if (matched)
            return;
    }
}

static void say_stages(struct explain *x, const struct entity *e, const struct pass_trace *t)
{
    for (uint32_t i = 0; i < e->stages.n; i++) {
        const struct stage_spec *spec = &e->stages.v[i];
        bool ended = t->spec == spec;
        buf_addf(&x->out, "  stage %s (line %u)", stages[spec->kind].name, spec->place.line);
        explain_stage(&x->out, spec, &x->job->plan->schema, t);
        if (ended)
            buf_puts(&x->out, t->fate == FATE_FILTERED ? ": filters the item" : ": fails");
        buf_putc(&x->out, '\n');
        if (ended)
            return;
    }
}

static void say_rows(struct explain *x, const struct pass_trace *t)
{
    const struct schema *s = &x->job->plan->schema;
    for (size_t i = 0; i < t->nrows; i++) {
        const struct row *row = &t->rows[i];
        buf_addf(&x->out, "  %s %.*s ", row->extract == UINT32_MAX ? "row of" : "candidate for",
                 STR_FMT(s->tables[row->table].name));
        table_row_json(&x->out, &s->tables[row->table], row->cells);
        buf_putc(&x->out, '\n');
    }
}

static void say_fate(struct explain *x, const struct pass_trace *t)
{
    switch (t->fate) {
    case FATE_ROUTED:
        break;
    case FATE_FILTERED:
        buf_addf(&x->out, "  filtered by %s", t->stage ? t->stage : "a rule");
        if (t->spec)
            buf_addf(&x->out, " (line %u)", t->spec->place.line);
        buf_putc(&x->out, '\n');
        break;
    case FATE_UNROUTED:
        buf_puts(&x->out, "  unrouted: no entity matches\n");
        break;
    case FATE_REJECTED:
        buf_addf(&x->out, "  rejected: %s: %s\n", t->fault.reason, t->fault.detail);
        break;
    }
}

static enum rc explain_item(void *ctx, struct str raw, const char *fault, struct err *err)
{
    struct explain *x = ctx;
    struct pass_trace t;
    if (fault && !x->o->pk) {
        (void)printf("%s%zu bytes that are no item\n  rejected: %s\n", x->shown++ ? "\n" : "",
                     raw.n, fault);
    }
    if (fault)
        return RC_OK;
    enum rc rc = pass_one(x->pass, raw, &t, err);
    if (rc != RC_OK)
        return rc;
    if (x->o->pk) {
        const struct plan *plan = x->job->plan;
        const struct val *v =
            plan->key.n && t.item.n ? item_get(&t.item, plan->key.v[0]) : NULL;
        if (!v || v->kind > VAL_B || !str_is(v->u.s, x->o->pk))
            return RC_OK;
    }
    buf_addf(&x->out, "%s%.*s\n", x->shown++ ? "\n" : "", STR_FMT(raw));
    if (t.item.n)
        say_routes(x, &t);
    if (t.entity != UINT32_MAX) {
        const struct keys_spec *keys = &x->job->model->entities[t.entity].keys;
        for (uint32_t i = 0; i < keys->n; i++) {
            buf_puts(&x->out, "  keys: ");
            explain_key(&x->out, &keys->v[i], &t.item);
            buf_putc(&x->out, '\n');
        }
        say_stages(x, &x->job->model->entities[t.entity], &t);
    }
    say_fate(x, &t);
    say_rows(x, &t);
    (void)fwrite(x->out.p, 1, x->out.len, stdout);
    rc = buf_check(&x->out, err);
    buf_clear(&x->out);
    return rc;
}

static enum rc explain_words(struct explain *x, struct job *job, struct err *err)
{
    const struct options *o = x->o;
    if (o->nwords == 2 && o->words[1][0] == '{')
        return explain_item(x, str_of(o->words[1]), NULL, err);
    if (o->pk && job->plan->key.n == 0) {
        return err_set(err, RC_USAGE,
                       "--pk needs the model to say which attribute is the key\n"
                       "hint: \"source\": {\"key\": [\"PK\", \"SK\"]}");
    }
    enum rc rc = job_source(job, o->words + 1, o->nwords - 1, o, err);
    if (rc == RC_OK)
        rc = items_walk(job->source, explain_item, x, err);
    if (rc == RC_OK && x->shown == 0) {
        rc = err_set(err, RC_FINISHED_BAD, "no item %s",
                     o->pk ? "with that partition key" : "found");
    }
    return rc;
}

int cmd_explain(const struct options *o)
{
    struct job job;
    struct err err = {0};
    struct explain x = {.job = &job, .o = o};
    job_init(&job);
    buf_init(&x.out, (size_t)256 << 20);
    enum rc rc = RC_OK;
    if (o->nwords < 2) {
        rc = err_set(&err, RC_USAGE,
                     "explain needs a model and an item or a source\n"
                     "hint: renorm explain model.json '{\"PK\":{\"S\":\"x\"}}'");
    }
    if (rc == RC_OK)
        rc = job_model(&job, o->words[0], o, &err);
    if (rc == RC_OK)
        rc = job_mask_key(&job, o, &err);
    int64_t now_us = 0;
    if (rc == RC_OK)
        rc = job_now(o, &now_us, &err);
    if (rc == RC_OK) {
        x.pass = pass_new(job.plan,
                          &(struct pass_options){now_us, buf_view(&job.mask_key), true, false});
        rc = x.pass ? explain_words(&x, &job, &err) : err_nomem(&err);
    }
    pass_free(x.pass);
    buf_release(&x.out);
    job_release(&job);
    return exit_tell(rc, &err);
}
