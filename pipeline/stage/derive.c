/* SPDX-License-Identifier: MIT */
/*
 * A new attribute printed from others. It hides an attribute of the same name, which then
 * goes to the rest; an input that is missing leaves the new attribute missing.
 */
#include "pipeline/stage/stage.h"

struct derived {
    const struct tpl *tpl;
    struct sources *inputs; /* one per piece */
    uint32_t slot;
};

struct inputs_ctx {
    const struct derived *d;
    const struct frame *f;
};

static const struct val *input(void *ctx, uint32_t piece)
{
    struct inputs_ctx *in = ctx;
    return sources_get(&in->d->inputs[piece], in->f);
}

static bool is_copy(const struct derived *d)
{
    const struct tpl_piece *p = &d->tpl->pieces[0];
    return d->tpl->n == 1 && !p->literal && p->nfuncs == 0 && p->type == COL_TEXT;
}

/* A value of its own: the other one may be masked later. */
static enum rc copy_value(const struct derived *d, struct frame *f)
{
    const struct val *from = sources_get(&d->inputs[0], f);
    struct val *to = from ? ARENA_NEW(f->arena, struct val) : NULL;
    if (from && !to)
        return RC_NOMEM;
    if (to)
        *to = *from;
    f->slots[d->slot] = to;
    return RC_OK;
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct derived *d = op->data;
    if (is_copy(d))
        return copy_value(d, f);
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    enum rc rc = tpl_print(d->tpl, input, &(struct inputs_ctx){d, f}, &text, f->why);
    if (rc == RC_OK) {
        struct val *v = ARENA_NEW(f->arena, struct val);
        struct str copy = arena_dup(f->arena, buf_view(&text));
        rc = v && copy.p && text.rc == RC_OK ? RC_OK : RC_NOMEM;
        if (rc == RC_OK) {
            *v = (struct val){.kind = VAL_S, .u.s = copy};
            f->slots[d->slot] = v;
        }
    } else if (rc == RC_END) {
        rc = RC_OK;
    }
    buf_release(&text);
    return rc;
}

static void derive_one(struct scope *s, const struct pair_spec *pair)
{
    struct derived *d = plan_array(s->planner, 1, sizeof *d);
    if (!d)
        return;
    d->tpl = &pair->tpl;
    d->inputs = plan_array(s->planner, pair->tpl.n, sizeof *d->inputs);
    if (!d->inputs)
        return;
    for (uint32_t i = 0; i < pair->tpl.n; i++) {
        if (pair->tpl.pieces[i].literal)
            continue;
        struct path path;
        if (path_parse(pair->tpl.pieces[i].text, s->planner->arena, &path) == RC_NOMEM) {
            s->planner->rc = RC_NOMEM;
        } else {
            d->inputs[i] = scope_find(s, &path, pair->place);
        }
    }
    scope_hide(s, &pair->path);
    d->slot = scope_bind_new(s, &pair->path, false, COL_TEXT);
    scope_add_op(s, &(struct op){"derive", apply, d, NOTE_NONE, s->stage});
}

void stage_derive_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.pairs.n; i++)
        derive_one(s, &spec->u.pairs.v[i]);
}
