/* SPDX-License-Identifier: MIT */
/* Keeps or drops items by a condition; what it drops is counted as filtered. */
#include "pipeline/stage/stage.h"

struct filter {
    const struct cond *cond;
    bool drop;
    struct sources *leaves; /* by the slot number written into the leaves */
};

struct leaf_ctx {
    const struct filter *filter;
    const struct frame *f;
};

static const struct val *leaf(void *ctx, const struct cond *c)
{
    struct leaf_ctx *l = ctx;
    return sources_get(&l->filter->leaves[c->slot], l->f);
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct filter *filter = op->data;
    bool holds = cond_eval(filter->cond, leaf, &(struct leaf_ctx){filter, f});
    return holds != filter->drop ? RC_OK : RC_END;
}

static uint32_t count_leaves(const struct cond *c)
{
    uint32_t n = c->nkids == 0;
    for (uint32_t i = 0; i < c->nkids; i++)
        n += count_leaves(&c->kids[i]);
    return n;
}

/* A compiled copy of the condition, its leaves numbered. */
static void compile(struct scope *s, const struct cond *from, struct cond *to,
                    struct sources *leaves, uint32_t *next)
{
    *to = *from;
    if (from->nkids == 0) {
        to->slot = (*next)++;
        leaves[to->slot] = scope_find(s, &from->path, (struct place){0, 0});
        return;
    }
    to->kids = plan_array(s->planner, from->nkids, sizeof *to->kids);
    for (uint32_t i = 0; to->kids && i < from->nkids; i++)
        compile(s, &from->kids[i], &to->kids[i], leaves, next);
}

void stage_filter_plan(struct scope *s, const struct stage_spec *spec)
{
    struct filter *filter = plan_array(s->planner, 1, sizeof *filter);
    struct cond *cond = plan_array(s->planner, 1, sizeof *cond);
    if (!filter || !cond)
        return;
    uint32_t next = 0;
    filter->leaves =
        plan_array(s->planner, count_leaves(spec->u.filter.keep), sizeof *filter->leaves);
    if (!filter->leaves)
        return;
    compile(s, spec->u.filter.keep, cond, filter->leaves, &next);
    filter->cond = cond;
    filter->drop = spec->u.filter.drop;
    uint32_t note = plan_note(s->planner, "filtered by %.*s", STR_FMT(s->shape->label));
    scope_add_op(s, &(struct op){"filter", apply, filter, note, s->stage});
}
