/* SPDX-License-Identifier: MIT */
/*
 * explain: tells why an item goes where it goes: which entity matched and why the ones before it
 * did not, what each stage did, and the rows. It takes one item, or those of a source: all, of a
 * key, that are rejected, the first few.
 */
#include <stdio.h>

#include "cmd/commands.h"
#include "cmd/open/job.h"
#include "cmd/open/path_address.h"
#include "cmd/print/plain.h"
#include "pipeline/base/env.h"
#include "pipeline/plan/key_parts.h"
#include "pipeline/run/items.h"
#include "pipeline/source/files/format/item_form.h"
#include "pipeline/transform/route.h"
#include "pipeline/transform/transform.h"

struct explain {
    const struct job *job;
    const struct options *o;
    struct transform *pass;
    struct buf out;
    uint64_t shown;
};

static void say_routes(struct explain *x, const struct transform_trace *t)
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

static void say_stages(struct explain *x, const struct entity *e,
                       const struct transform_trace *t)
{
    for (uint32_t i = 0; i < e->stages.n; i++) {
        const struct stage_spec *spec = &e->stages.v[i];
        bool ended = t->spec == spec;
        buf_addf(&x->out, "  stage %s (line %u)", spec->stage->name, spec->place.line);
        spec->stage->explain(spec->spec,
                             &(struct stage_explain){&x->out, t, &x->job->plan->schema});
        if (ended)
            buf_puts(&x->out, t->fate == ITEM_FILTERED ? ": filters the item" : ": fails");
        buf_putc(&x->out, '\n');
        if (ended)
            return;
    }
}

/* Says which texts the model takes for NULL; a row shows only that there is none. */
static void say_nulls(struct explain *x, const struct transform_trace *t)
{
    const struct schema *s = &x->job->plan->schema;
    for (uint32_t i = 0; i < s->nnotes; i++) {
        if (t->notes[i] && str_starts(s->notes[i], STR("null_if: ")))
            buf_addf(&x->out, "  NULL by %.*s\n", STR_FMT(s->notes[i]));
    }
}

static void say_rows(struct explain *x, const struct transform_trace *t)
{
    const struct schema *s = &x->job->plan->schema;
    for (size_t i = 0; i < t->nrows; i++) {
        const struct row *row = &t->rows[i];
        buf_addf(&x->out, "  %s %.*s ", row->extract == UINT32_MAX ? "row of" : "candidate for",
                 STR_FMT(s->tables[row->table].name));
        schema_row_json(&x->out, &s->tables[row->table], row->cells);
        buf_putc(&x->out, '\n');
    }
}

static void say_fate(struct explain *x, const struct transform_trace *t)
{
    switch (t->fate) {
    case ITEM_ROUTED:
        break;
    case ITEM_FILTERED:
        buf_addf(&x->out, "  filtered by %s", t->stage ? t->stage : "a rule");
        if (t->spec)
            buf_addf(&x->out, " (line %u)", t->spec->place.line);
        buf_putc(&x->out, '\n');
        break;
    case ITEM_UNROUTED:
        buf_puts(&x->out, "  unrouted: no entity matches\n");
        break;
    case ITEM_REJECTED:
        buf_addf(&x->out, "  rejected: %s: %s\n", t->fault.reason, t->fault.detail);
        break;
    }
}

static enum rc show(struct explain *x, struct err *err)
{
    enum rc rc = buf_check(&x->out, err);
    plain_print(buf_view(&x->out));
    buf_clear(&x->out);
    return rc;
}

/* True if the item's key attribute `at` (0: the partition key) is the text, or none is asked for. */
static bool has_key(const struct explain *x, const struct item *item, uint32_t at,
                    const char *text)
{
    const struct names *key = plan_key_of(x->job->plan, item->source);
    if (!text)
        return true;
    const struct val *v = key->n > at && item->n ? item_get(item, key->v[at]) : NULL;
    return v && v->kind <= VAL_B && str_is(v->u.s, text);
}

static bool is_wanted(const struct explain *x, const struct transform_trace *t)
{
    return has_key(x, &t->item, 0, x->o->pk) && has_key(x, &t->item, 1, x->o->sk) &&
           (!x->o->rejected || t->fate == ITEM_REJECTED);
}

/* RC_END once as many were shown as the limit says. */
static enum rc count_shown(struct explain *x)
{
    x->shown++;
    return x->o->limit && x->shown >= x->o->limit ? RC_END : RC_OK;
}

static enum rc explain_no_item(struct explain *x, struct str raw, const char *fault)
{
    if (x->o->pk || x->o->sk)
        return RC_OK;
    (void)printf("%s%zu bytes that are no item\n  rejected: %s\n", x->shown ? "\n" : "", raw.n,
                 fault);
    return count_shown(x);
}

static enum rc explain_item(void *ctx, const struct walked_item *item, struct err *err)
{
    struct str raw = item->raw;
    const char *fault = item->fault;
    struct explain *x = ctx;
    struct transform_trace t;
    if (fault)
        return explain_no_item(x, raw, fault);
    transform_from(x->pass, item->part);
    enum rc rc = transform_one(x->pass, raw, &t, err);
    if (rc || !is_wanted(x, &t))
        return rc;
    buf_addf(&x->out, "%s%.*s\n", x->shown ? "\n" : "", STR_FMT(raw));
    if (t.item.n)
        say_routes(x, &t);
    if (t.entity != UINT32_MAX) {
        key_parts_explain(&x->job->model->entities[t.entity].keys, &t.item, "  keys: ", "\n",
                          &x->out);
        say_stages(x, &x->job->model->entities[t.entity], &t);
    }
    say_fate(x, &t);
    say_nulls(x, &t);
    say_rows(x, &t);
    rc = show(x, err);
    return rc ? rc : count_shown(x);
}

static enum rc check_keys(const struct explain *x, const struct job *job, struct err *err)
{
    if (x->o->pk && job->plan->key.n == 0) {
        return err_set(err, RC_USAGE,
                       "--pk needs the model to say which attribute is the key\n"
                       "hint: \"source\": {\"key\": [\"PK\", \"SK\"]}");
    }
    if (x->o->sk && job->plan->key.n < 2) {
        return err_set(err, RC_USAGE,
                       "--sk needs the model to say which attribute is the sort key\n"
                       "hint: \"source\": {\"key\": [\"PK\", \"SK\"]}");
    }
    return RC_OK;
}

static enum rc found_none(const struct explain *x, struct err *err)
{
    bool key = x->o->pk || x->o->sk;
    if (x->o->rejected) {
        (void)printf("no item%s is rejected\n", key ? " of that key" : "");
        return RC_OK;
    }
    return err_set(err, RC_FINISHED_BAD, "no item %s",
                   x->o->sk   ? "with that key"
                   : x->o->pk ? "with that partition key"
                              : "found");
}

/* An item as a word of the command. One that is of neither form is explained as what it is not. */
static enum rc explain_word(struct explain *x, struct str item, struct err *err)
{
    enum decoder_parse form = DECODER_TEXT;
    struct err why = {0};
    enum rc rc = path_address_form(x->o, &form, err);
    if (rc)
        return rc;
    if (form == DECODER_TEXT && item_form(item, "the item", FORMAT_LINES, &form, &why))
        form = DECODER_TYPED;
    transform_set_plain(x->pass, form == DECODER_PLAIN);
    return explain_item(x, &(struct walked_item){.raw = item}, err);
}

static enum rc explain_words(struct explain *x, struct job *job, struct err *err)
{
    const struct options *o = x->o;
    enum rc rc = check_keys(x, job, err);
    if (!rc && o->nwords == 2 && o->words[1][0] == '{') {
        rc = explain_word(x, str_of(o->words[1]), err);
        rc = rc == RC_END ? RC_OK : rc;
    } else if (!rc) {
        rc = job_source(job, o->words + 1, o->nwords - 1, o, err);
        if (!rc) {
            transform_set_plain(x->pass, job->source->plain);
            rc = items_walk(job->source, explain_item, x, err);
        }
    }
    return !rc && x->shown == 0 ? found_none(x, err) : rc;
}

enum rc cmd_explain(const struct options *o, struct ending *out, struct err *err)
{
    (void)out;
    struct job job;
    struct explain x = {.job = &job, .o = o};
    job_init(&job);
    buf_init(&x.out, (size_t)256 << 20);
    enum rc rc = RC_OK;
    if (o->nwords < 2) {
        rc = err_set(err, RC_USAGE,
                     "explain needs a model and an item or a source\n"
                     "hint: renorm explain model.json '{\"PK\":{\"S\":\"x\"}}'");
    }
    if (!rc)
        rc = job_model(&job, o->words[0], o, err);
    if (!rc)
        rc = job_mask_key(&job, o, err);
    int64_t now_us = 0;
    if (!rc)
        rc = job_now(o, &now_us, err);
    if (!rc) {
        x.pass = transform_new(job.plan,
                               &(struct transform_options){.now_us = now_us,
                                                           .mask_key = buf_view(&job.mask_key),
                                                           .keyless = true});
        rc = x.pass ? explain_words(&x, &job, err) : err_nomem(err);
    }
    transform_free(x.pass);
    buf_release(&x.out);
    job_release(&job);
    return rc;
}
