/* SPDX-License-Identifier: MIT */
/* Keeps a subtree, or all that is left, whole in a jsonb column. */
#include "pipeline/stage/stage.h"

static bool declared(const struct scope *s, struct str name)
{
    for (uint32_t i = 0; i < s->columns.n; i++) {
        if (str_eq(s->columns.v[i].name, name))
            return true;
    }
    return false;
}

static void declare(struct scope *s, struct str name, struct place at)
{
    struct column_spec *v = plan_array(s->planner, s->columns.n + 1, sizeof *v);
    if (!v)
        return;
    if (s->columns.n)
        memcpy(v, s->columns.v, s->columns.n * sizeof *v);
    v[s->columns.n] = (struct column_spec){
        .name = name, .place = at, .cast = {.type = COL_JSONB, .lossy = LOSSY_JSON}};
    s->columns = (struct columns_spec){v, s->columns.n + 1};
}

void stage_document_plan(struct scope *s, const struct stage_spec *spec)
{
    struct str into = spec->u.document.into;
    if (!declared(s, into))
        declare(s, into, spec->place);
    if (spec->u.document.from.n == 0) {
        s->rest_document = path_one(s->planner, into);
        return;
    }
    struct binding *b = scope_attribute(s, &spec->u.document.from, spec->place);
    if (!b)
        return;
    b->path = path_one(s->planner, into);
    if (b->node)
        b->node->gone = true;
}
