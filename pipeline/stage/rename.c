/* SPDX-License-Identifier: MIT */
/* Gives an attribute (or a key part) another name for the stages and columns that follow. */
#include "pipeline/stage/stage.h"

static void rename_one(struct scope *s, const struct pair_spec *pair)
{
    struct path to = path_one(s->planner, pair->name);
    bool found = false;
    for (struct binding *b = s->bindings; b; b = b->next)
        found |= path_eq(&b->path, &pair->path);
    if (!found)
        (void)scope_attribute(s, &pair->path, pair->place);
    for (struct binding *b = s->bindings; b; b = b->next) {
        if (!path_eq(&b->path, &pair->path))
            continue;
        b->path = to;
        if (b->node)
            b->node->gone = true;
    }
}

void stage_rename_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.pairs.n; i++)
        rename_one(s, &spec->u.pairs.v[i]);
}
