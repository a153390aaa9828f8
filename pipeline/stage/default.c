/* SPDX-License-Identifier: MIT */
/* Sets an attribute that is missing to a literal. NULL is a value: it stays. */
#include "pipeline/item/canon.h"
#include "pipeline/stage/stage.h"

/* "attribute": literal */
struct default_one {
    struct place place;
    struct path path;
    struct val value;
};

struct default_spec {
    struct default_one *v;
    uint32_t n;
};

struct default_value {
    struct sources to;
    const struct val *value;
    uint32_t open; /* where an attribute that matches by name only would be */
};

static void read_one(struct model_reader *r, struct model_node n, void *element)
{
    struct default_one *one = element;
    one->place = read_place(r, n.key);
    (void)read_key_is_path(r, n, &one->path);
    (void)read_literal(r, n, &one->value);
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    struct default_spec *spec = target;
    spec->v = read_each(r, n, sizeof *spec->v, read_one, &spec->n);
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct default_value *d = op->data;
    bool there = d->open != SLOT_NONE && f->slots[d->open];
    if (there || cells_source(&d->to, f))
        return RC_OK;
    /* The item gets a copy, because a later stage may change the value. */
    struct val *copy = ARENA_NEW(f->arena, struct val);
    if (!copy)
        return RC_NOMEM;
    *copy = *d->value;
    f->slots[d->to.slots[0]] = copy;
    return RC_OK;
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct default_spec *spec = stage->spec;
    for (uint32_t i = 0; i < spec->n; i++) {
        const struct default_one *one = &spec->v[i];
        struct default_value *d = plan_array(s->planner, 1, sizeof *d);
        struct sources to = scope_find(s, &one->path, one->place);
        if (!d || to.n == 0)
            return;
        *d = (struct default_value){to, &one->value, SLOT_NONE};
        if (one->path.n == 1)
            d->open = scope_open(s, one->path.members[0]);
        scope_add_op(s, &(struct op){.apply = apply, .data = d, .note = NOTE_NONE});
    }
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct default_spec *all = spec;
    for (uint32_t i = 0; i < all->n; i++) {
        buf_puts(x->out, i ? ", " : ": ");
        path_print(&all->v[i].path, x->out);
        buf_puts(x->out, ", if missing, is ");
        canon_plain(x->out, &all->v[i].value, NULL);
    }
}

const struct stage stage_default = {.name = "default",
                                    .spec_size = sizeof(struct default_spec),
                                    .read = read_spec,
                                    .plan = plan,
                                    .explain = explain};
