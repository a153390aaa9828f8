/* SPDX-License-Identifier: MIT */
/* Keeps or drops items by a condition; what it drops is counted as filtered. */
#include "pipeline/stage/stage.h"

struct filter_spec {
    struct cond *cond;
    bool drop; /* {"filter": {"drop": COND}}: items that meet it go, the others stay */
};

struct filter {
    const struct cond *cond;
    bool drop;
    struct sources *leaves; /* by the slot number written into the leaves */
};

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    struct filter_spec *spec = target;
    yyjson_val *drop =
        yyjson_is_obj(n.v) && yyjson_obj_size(n.v) == 1 ? yyjson_obj_get(n.v, "drop") : NULL;
    spec->drop = yyjson_is_obj(drop);
    if (spec->drop)
        n = read_node_member(r, unsafe_yyjson_get_first(n.v), drop);
    read_cond(r, n, &spec->cond);
}

struct leaf_ctx {
    const struct filter *filter;
    const struct frame *f;
};

static const struct val *leaf(void *ctx, const struct cond *c)
{
    struct leaf_ctx *l = ctx;
    return cells_source(&l->filter->leaves[c->slot], l->f);
}

static bool keeps(const struct op *op, const struct frame *f)
{
    const struct filter *filter = op->data;
    bool holds = condition_eval(filter->cond, leaf, &(struct leaf_ctx){filter, f});
    return holds != filter->drop;
}

static uint32_t count_leaves(const struct cond *c)
{
    uint32_t n = c->nkids == 0;
    for (uint32_t i = 0; i < c->nkids; i++)
        n += count_leaves(&c->kids[i]);
    return n;
}

/* Copies the condition and numbers its leaves, so that each finds its sources. */
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

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct filter_spec *spec = stage->spec;
    struct filter *filter = plan_array(s->planner, 1, sizeof *filter);
    struct cond *cond = plan_array(s->planner, 1, sizeof *cond);
    if (!filter || !cond)
        return;
    uint32_t next = 0;
    filter->leaves = plan_array(s->planner, count_leaves(spec->cond), sizeof *filter->leaves);
    if (!filter->leaves)
        return;
    compile(s, spec->cond, cond, filter->leaves, &next);
    filter->cond = cond;
    filter->drop = spec->drop;
    uint32_t note = plan_note(s->planner, "filtered by %.*s", STR_FMT(s->shape->label));
    scope_add_op(s, &(struct op){.keeps = keeps, .data = filter, .note = note});
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct filter_spec *filter = spec;
    buf_puts(x->out, filter->drop ? ": drops if " : ": keeps if ");
    condition_print(filter->cond, x->out);
}

static const struct cond *condition(const void *spec, bool *drop)
{
    const struct filter_spec *filter = spec;
    *drop = filter->drop;
    return filter->cond;
}

const struct stage stage_filter = {.name = "filter",
                                   .spec_size = sizeof(struct filter_spec),
                                   .read = read_spec,
                                   .plan = plan,
                                   .explain = explain,
                                   .condition = condition};
