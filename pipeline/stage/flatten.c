/* SPDX-License-Identifier: MIT */
/* The members of a map become attributes of the item, named by their path, to a depth. */
#include "pipeline/stage/stage.h"

void stage_flatten_plan(struct scope *s, const struct stage_spec *spec)
{
    struct binding *b = scope_attribute(s, &spec->u.flatten.from, spec->place);
    if (!b || !b->node)
        return;
    b->node->flatten = spec->u.flatten.depth ? spec->u.flatten.depth : 1;
    b->node->shown = b->path;
}
