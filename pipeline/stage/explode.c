/* SPDX-License-Identifier: MIT */
/*
 * A list, set or map becomes rows of a child table. Only noted here: the child needs the
 * parent's key, which is known when the parent's columns are.
 */
#include "pipeline/stage/stage.h"

static bool has_column(const struct columns_spec *c, const char *name)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (str_is(c->v[i].name, name))
            return true;
    }
    return false;
}

static enum explode_mode mode_of(const struct explode_spec *e)
{
    if (e->ordinal.n)
        return EXPLODE_LIST;
    if (has_column(&e->columns, "key"))
        return EXPLODE_MAP;
    bool value_only = e->columns.n == 1 && has_column(&e->columns, "value");
    return e->columns.n == 0 && e->stages.n == 0 ? EXPLODE_SET
           : value_only                          ? EXPLODE_SET
                                                 : EXPLODE_LIST;
}

void stage_explode_plan(struct scope *s, const struct stage_spec *spec)
{
    const struct explode_spec *e = spec->u.explode;
    uint32_t cap = s->cap_explodes;
    struct explode *v = plan_push(s->planner, s->explodes, s->nexplodes, &cap, sizeof *v);
    const struct stage_spec **specs =
        plan_push(s->planner, s->explode_specs, s->nexplodes, &s->cap_explodes, sizeof(void *));
    struct binding *b = scope_attribute(s, &e->from, spec->place);
    if (!v || !specs || !b)
        return;
    s->explodes = v;
    s->explode_specs = specs;
    if (b->node) {
        b->node->consumed = true;
        b->node->exploded = true;
    }
    struct sources from = scope_find(s, &e->from, spec->place);
    v[s->nexplodes] = (struct explode){
        .from = from, .name = e->from.members[e->from.n - 1], .mode = mode_of(e)};
    specs[s->nexplodes++] = spec;
}
