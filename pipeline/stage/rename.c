/* SPDX-License-Identifier: MIT */
/* Gives an attribute (or a key part) another name for the stages and columns that follow. */
#include "pipeline/stage/stage.h"

/* "old": "new" */
struct renaming {
    struct place place;
    struct path from;
    struct str to;
};

struct rename_spec {
    struct renaming *v;
    uint32_t n;
};

static void read_one(struct model_reader *r, struct model_node n, void *element)
{
    struct renaming *one = element;
    one->place = read_place(r, n.key);
    (void)read_key_is_path(r, n, &one->from);
    read_name(r, n, &one->to);
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    struct rename_spec *spec = target;
    spec->v = read_each(r, n, sizeof *spec->v, read_one, &spec->n);
}

static void rename_one(struct scope *s, const struct renaming *one)
{
    struct path to = scope_path_one(s->planner, one->to);
    bool found = false;
    for (struct binding *b = s->bindings; b; b = b->next)
        found |= path_eq(&b->path, &one->from);
    if (!found)
        (void)scope_attribute(s, &one->from, one->place);
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (!path_eq(&b->path, &one->from))
            continue;
        b->path = to;
        if (b->node)
            b->node->gone = true;
    }
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct rename_spec *spec = stage->spec;
    for (uint32_t i = 0; i < spec->n; i++)
        rename_one(s, &spec->v[i]);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct rename_spec *all = spec;
    for (uint32_t i = 0; i < all->n; i++) {
        buf_puts(x->out, i ? ", " : ": ");
        path_print(&all->v[i].from, x->out);
        buf_addf(x->out, " becomes %.*s", STR_FMT(all->v[i].to));
    }
}

const struct stage stage_rename = {.name = "rename",
                                   .spec_size = sizeof(struct rename_spec),
                                   .read = read_spec,
                                   .plan = plan,
                                   .explain = explain};
