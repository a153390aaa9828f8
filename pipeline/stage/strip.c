/* SPDX-License-Identifier: MIT */
/* Drops indexing attributes: whatever matches the globs and no column names. */
#include "pipeline/stage/stage.h"

void stage_strip_plan(struct scope *s, const struct stage_spec *spec)
{
    struct names *all = &s->shape->strips;
    struct str *v = plan_array(s->planner, all->n + spec->u.globs.n, sizeof *v);
    if (!v)
        return;
    if (all->n)
        memcpy(v, all->v, all->n * sizeof *v);
    if (spec->u.globs.n)
        memcpy(v + all->n, spec->u.globs.v, spec->u.globs.n * sizeof *v);
    *all = (struct names){v, all->n + spec->u.globs.n};
}
