/* SPDX-License-Identifier: MIT */
/* Drops attributes by name: they reach neither a column nor the rest. */
#include "pipeline/stage/stage.h"

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct paths *paths = stage->spec;
    for (uint32_t i = 0; i < paths->n; i++) {
        struct binding *b = scope_attribute(s, &paths->v[i], stage->place);
        if (b && b->node) {
            b->node->dropped = true;
            b->node->gone = true;
        }
        scope_take(s, &paths->v[i], PART_TAKEN);
        scope_hide(s, &paths->v[i]);
    }
}

const struct stage stage_drop = {.name = "drop",
                                 .spec_size = sizeof(struct paths),
                                 .read = read_paths,
                                 .plan = plan,
                                 .explain = stage_explain_paths};
