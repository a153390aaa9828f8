/* SPDX-License-Identifier: MIT */
/*
 * Keeps the named attributes and drops all others, mentioned or not. Key parts are not
 * attributes of the item and stay.
 */
#include "pipeline/stage/stage.h"

static bool named(const struct paths *paths, const struct path *path)
{
    for (uint32_t i = 0; i < paths->n; i++) {
        if (path_eq(&paths->v[i], path))
            return true;
    }
    return false;
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct paths *paths = stage->spec;
    for (uint32_t i = 0; i < paths->n; i++) {
        scope_mention(s, &paths->v[i], stage->place);
        (void)scope_find(s, &paths->v[i], stage->place);
    }
    for (struct binding **at = &s->bindings; *at;) {
        struct binding *b = *at;
        if (b->part || named(paths, &b->path)) {
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

const struct stage stage_pick = {.name = "pick",
                                 .spec_size = sizeof(struct paths),
                                 .read = read_paths,
                                 .plan = plan,
                                 .explain = stage_explain_paths};
