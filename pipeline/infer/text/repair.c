/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/text/repair.h"

#include <stdio.h>
#include <string.h>

#include "pipeline/infer/decide.h"
#include "pipeline/stage/stage.h"
#include "pipeline/transform/transform.h"

enum rc repair_open(struct repair_trial *t, struct str text, struct err *err)
{
    *t = (struct repair_trial){0};
    problems_init(&t->problems);
    enum rc rc = model_read(text, stage_table, &t->model, &t->problems, err);
    if (!rc) {
        rc = plan_new(t->model, &(struct plan_options){.ttl_given = true}, &t->plan,
                      &t->problems, err);
    }
    if (rc == RC_USAGE && t->problems.count) {
        struct buf said;
        buf_init(&said, (size_t)16 << 20);
        problems_print(&t->problems, "the inferred model", &said);
        rc = err_set(
            err, RC_SINK,
            "the model that was inferred is not sound, which is a mistake of ours: %.*s",
            (int)(said.len < 1500 ? said.len : 1500), said.len ? said.p : "");
        buf_release(&said);
    }
    if (!rc)
        t->pass = transform_new(t->plan, &(struct transform_options){.keyless = true});
    return !rc && !t->pass ? err_nomem(err) : rc;
}

void repair_close(struct repair_trial *t)
{
    transform_free(t->pass);
    plan_free(t->plan);
    model_free(t->model);
    problems_release(&t->problems);
}

static struct infer_column *find_column(struct infer_table *t, struct str table,
                                        struct str column)
{
    for (size_t i = 0; i < t->ncolumns && str_eq(t->name, table); i++) {
        if (!t->columns[i]->gone && str_eq(t->columns[i]->name, column))
            return t->columns[i];
    }
    for (size_t i = 0; i < t->nchildren; i++) {
        struct infer_column *c = find_column(t->children[i], table, column);
        if (c)
            return c;
    }
    return NULL;
}

/* The next wider type. */
static bool widen(struct infer_column *c)
{
    bool text = c->type && strcmp(c->type, "text") == 0;
    bool nested = c->facts.kinds[VAL_M] || c->facts.kinds[VAL_L];
    if (c->pinned && strcmp(c->pinned, "jsonb") == 0) {
        c->gone = c->lossy_asked;
        c->lossy_asked = true;
        return true;
    }
    c->pinned = text || nested || c->facts.kinds[VAL_BOOL] || c->listed ? "jsonb" : "text";
    c->listed = false;
    return true;
}

static bool repair_column(struct infer_column *c, const struct fault *why)
{
    if (strcmp(why->reason, "not-null") == 0) {
        bool was = !c->nullable;
        c->nullable = true;
        return was;
    }
    if (strcmp(why->reason, "key-mismatch") == 0) {
        bool was = !c->prefer_part;
        c->prefer_part = true;
        return was;
    }
    return widen(c);
}

/* What no entity takes goes to a table of its own, the last to be tried. */
static void add_last(struct infer_design *d, uint32_t *items, uint32_t n)
{
    struct infer_entity *e = infer_new(d, 1, sizeof *e);
    d->entities = infer_push(d, d->entities, d->nentities, &d->capentities, sizeof(void *));
    if (!e || !d->entities)
        return;
    e->items = items;
    e->n = n;
    e->by_when = true;
    e->name = STR("unrecognised");
    d->entities[d->nentities++] = e;
    decide_last(d, e);
}

static bool repair_item(struct infer_design *d, const struct transform_trace *t)
{
    bool changed = false;
    if (t->fate != ITEM_REJECTED || t->entity == UINT32_MAX)
        return false;
    for (size_t i = 0; i < d->nentities && !changed; i++) {
        struct infer_column *c =
            find_column(d->entities[i]->table, t->fault.table, t->fault.column);
        if (c)
            changed = repair_column(c, &t->fault);
    }
    return changed;
}

enum rc repair_round(struct infer_design *d, struct str model, bool *changed, struct err *err)
{
    struct repair_trial t;
    uint32_t nlost = 0;
    uint32_t *lost = infer_new(d, (size_t)d->nitems + 1, sizeof *lost);
    *changed = false;
    if (!lost)
        return err_nomem(err);
    enum rc rc = repair_open(&t, model, err);
    if (!rc)
        transform_set_plain(t.pass, d->plain);
    for (uint32_t i = 0; !rc && i < d->nitems; i++) {
        struct transform_trace trace;
        rc = transform_one(t.pass, d->items[i].raw, &trace, err);
        if (!rc && repair_item(d, &trace))
            *changed = true;
        if (!rc && trace.fate == ITEM_UNROUTED)
            lost[nlost++] = i;
    }
    repair_close(&t);
    if (!rc && nlost) {
        add_last(d, lost, nlost);
        *changed = true;
    }
    if (!rc && *changed)
        infer_settle(d);
    return rc;
}
