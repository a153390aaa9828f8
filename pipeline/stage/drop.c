/* SPDX-License-Identifier: MIT */
/* Drops attributes by name: they reach neither a column nor the rest. */
#include "pipeline/stage/stage.h"

void stage_drop_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.paths.n; i++) {
        const struct path *path = &spec->u.paths.v[i];
        struct binding *b = scope_attribute(s, path, spec->place);
        if (b && b->node) {
            b->node->dropped = true;
            b->node->gone = true;
        }
        scope_hide(s, path);
    }
}
