/* SPDX-License-Identifier: MIT */
/*
 * A relationship item: its key is the columns that refer to the two sides. Noted for the
 * planner, which makes keys and references once all tables are known.
 */
#include "pipeline/stage/stage.h"

void stage_link_plan(struct scope *s, const struct stage_spec *spec)
{
    if (s->link) {
        problems_add(s->planner->problems, spec->place,
                     "a second \"link\" in one entity\n"
                     "hint: name all sides in one link");
    }
    if (spec->u.link.symmetric && spec->u.link.n != 2) {
        problems_add(s->planner->problems, spec->place,
                     "a symmetric link needs two columns, not %u", spec->u.link.n);
    }
    s->link = &spec->u.link;
}
