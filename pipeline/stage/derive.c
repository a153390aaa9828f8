/* SPDX-License-Identifier: MIT */
/*
 * Prints a new attribute from others. It hides an attribute of the same name, which then
 * goes to the rest; an input that is missing leaves the new attribute missing.
 */
#include "pipeline/stage/stage.h"

/* "attribute": "template" */
struct derive_one {
    struct place place;
    struct path path;
    struct template tpl;
};

struct derive_spec {
    struct derive_one *v;
    uint32_t n;
};

struct derived {
    const struct template *tpl;
    struct sources *inputs; /* one per piece */
    uint32_t slot;
};

static void read_one(struct model_reader *r, struct model_node n, void *element)
{
    struct derive_one *one = element;
    one->place = read_place(r, n.key);
    (void)read_key_is_path(r, n, &one->path);
    (void)read_template(r, n, &one->tpl);
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    struct derive_spec *spec = target;
    spec->v = read_each(r, n, sizeof *spec->v, read_one, &spec->n);
}

struct inputs_ctx {
    const struct derived *d;
    const struct frame *f;
};

static const struct val *input(void *ctx, uint32_t piece)
{
    struct inputs_ctx *in = ctx;
    return cells_source(&in->d->inputs[piece], in->f);
}

static bool is_copy(const struct derived *d)
{
    const struct template_piece *p = &d->tpl->pieces[0];
    return d->tpl->n == 1 && !p->literal && p->nfuncs == 0 && p->type == COL_TEXT;
}

/* The copy is a value of its own, because the other one may be masked later. */
static enum rc copy_value(const struct derived *d, struct frame *f)
{
    const struct val *from = cells_source(&d->inputs[0], f);
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
    enum rc rc = template_print(d->tpl, input, &(struct inputs_ctx){d, f}, &text, f->why);
    if (!rc) {
        struct val *v = ARENA_NEW(f->arena, struct val);
        struct str copy = arena_dup(f->arena, buf_view(&text));
        rc = v && copy.p && !text.rc ? RC_OK : RC_NOMEM;
        if (!rc) {
            *v = (struct val){.kind = VAL_S, .u.s = copy};
            f->slots[d->slot] = v;
        }
    } else if (rc == RC_NONE) {
        rc = RC_OK;
    }
    buf_release(&text);
    return rc;
}

/* Does a column keep what is derived? If none does, it explains nothing. */
static bool has_column(const struct scope *s, const struct path *path)
{
    for (uint32_t i = 0; i < s->columns.n; i++) {
        const struct column_spec *spec = &s->columns.v[i];
        struct path own = {&s->columns.v[i].name, 1};
        if (column_spec_says(spec) ? column_spec_takes(spec, path) : path_eq(&own, path))
            return true;
    }
    return false;
}

static void derive_one(struct scope *s, const struct derive_one *one)
{
    struct derived *d = plan_array(s->planner, 1, sizeof *d);
    if (!d)
        return;
    d->tpl = &one->tpl;
    d->inputs = plan_array(s->planner, one->tpl.n, sizeof *d->inputs);
    if (!d->inputs)
        return;
    for (uint32_t i = 0; i < one->tpl.n; i++) {
        if (one->tpl.pieces[i].literal)
            continue;
        struct path path;
        if (path_parse(one->tpl.pieces[i].text, s->planner->arena, &path) == RC_NOMEM) {
            s->planner->rc = RC_NOMEM;
        } else {
            d->inputs[i] = scope_find(s, &path, one->place);
            /* of several that are called so one is read, and nobody compares them here */
            if (d->inputs[i].n == 1 && has_column(s, &one->path))
                scope_take(s, &path, PART_TAKEN);
        }
    }
    scope_hide(s, &one->path);
    d->slot = scope_bind_new(s, &one->path, false, COL_TEXT);
    scope_add_op(s, &(struct op){.apply = apply, .data = d, .note = NOTE_NONE});
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct derive_spec *spec = stage->spec;
    for (uint32_t i = 0; i < spec->n; i++)
        derive_one(s, &spec->v[i]);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct derive_spec *all = spec;
    for (uint32_t i = 0; i < all->n; i++) {
        buf_puts(x->out, i ? ", " : ": ");
        path_print(&all->v[i].path, x->out);
        buf_addf(x->out, " from \"%.*s\"", STR_FMT(all->v[i].tpl.text));
    }
}

const struct stage stage_derive = {.name = "derive",
                                   .spec_size = sizeof(struct derive_spec),
                                   .read = read_spec,
                                   .plan = plan,
                                   .explain = explain};
