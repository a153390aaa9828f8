/* SPDX-License-Identifier: MIT */
/* Drops indexing attributes: whatever matches the globs and no column names. */
#include "pipeline/stage/stage.h"

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct names *globs = stage->spec;
    struct names *all = &s->shape->strips;
    struct str *v = plan_array(s->planner, all->n + globs->n, sizeof *v);
    if (!v)
        return;
    if (all->n)
        memcpy(v, all->v, all->n * sizeof *v);
    if (globs->n)
        memcpy(v + all->n, globs->v, globs->n * sizeof *v);
    *all = (struct names){v, all->n + globs->n};
}

static bool strips(const struct names *globs, struct str name)
{
    for (uint32_t i = 0; i < globs->n; i++) {
        if (str_glob(name, globs->v[i]))
            return true;
    }
    return false;
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct item *item = &x->trace->item;
    uint32_t n = 0;
    for (uint32_t i = 0; i < item->n; i++) {
        if (strips(spec, item->members[i].name))
            buf_addf(x->out, "%s%.*s", n++ ? ", " : ": ", STR_FMT(item->members[i].name));
    }
    if (n == 0)
        buf_puts(x->out, ": nothing here");
}

const struct stage stage_strip = {.name = "strip",
                                  .spec_size = sizeof(struct names),
                                  .read = read_names,
                                  .plan = plan,
                                  .explain = explain};
