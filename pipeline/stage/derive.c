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
    return d->tpl->n == 1 && !d->tpl->pieces[0].literal && d->tpl->pieces[0].nfuncs == 0;
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct derived *d = op->data;
    if (is_copy(d)) {
        f->slots[d->slot] = sources_get(&d->inputs[0], f);
        return RC_OK;
    }
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

/* "A.b" in a template is a path, as everywhere. */
static struct path piece_path(struct planner *p, struct str text)
{
    uint32_t n = 1;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '.';
    struct path path = {plan_array(p, n, sizeof *path.members), 0};
    if (!path.members)
        return (struct path){0};
    size_t start = 0;
    for (size_t i = 0; i <= text.n; i++) {
        if (i < text.n && text.p[i] != '.')
            continue;
        path.members[path.n++] = str_make(text.p + start, i - start);
        start = i + 1;
    }
    return path;
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
        struct path path = piece_path(s->planner, pair->tpl.pieces[i].text);
        d->inputs[i] = scope_find(s, &path, pair->place);
    }
    scope_hide(s, &pair->path);
    d->slot = scope_bind_new(s, &pair->path, false, COL_TEXT);
    scope_add_op(s, &(struct op){"derive", apply, d, NOTE_NONE});
}

void stage_derive_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.pairs.n; i++)
        derive_one(s, &spec->u.pairs.v[i]);
}
