/* SPDX-License-Identifier: MIT */
/*
 * Keeps the named attributes and drops all others, mentioned or not. Key parts are not
 * attributes of the item and stay.
 */
#include "pipeline/stage/stage.h"

static bool named(const struct stage_spec *spec, const struct path *path)
{
    for (uint32_t i = 0; i < spec->u.paths.n; i++) {
        if (path_eq(&spec->u.paths.v[i], path))
            return true;
    }
    return false;
}

void stage_pick_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.paths.n; i++)
        (void)scope_find(s, &spec->u.paths.v[i], spec->place);
    for (struct binding **at = &s->bindings; *at;) {
        struct binding *b = *at;
        if (b->part || named(spec, &b->path)) {
            at = &b->next;
            continue;
        }
        if (b->node) {
            b->node->dropped = true;
            b->node->gone = true;
        }
        *at = b->next;
    }
    s->shape->picked = true;
}
