/* SPDX-License-Identifier: MIT */
/*
 * What is certain to fail once there are items. An export would find it out item by item, so only
 * those who ask are told: whoever looks at a model before its data.
 */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/plan/columns.h"

/* A number becomes a float by the lossy rule alone, and nothing else becomes one. */
static void check_double(struct planner *p, const struct column_spec *c)
{
    if (c->cast.type != COL_DOUBLE || (c->cast.lossy & LOSSY_FLOAT))
        return;
    problems_add(p->problems, c->place,
                 "column \"%.*s\" is double precision without the lossy rule \"float\": every "
                 "number would be rejected\n"
                 "hint: {\"type\": \"double precision\", \"lossy\": \"float\"}, or numeric, "
                 "which keeps all digits",
                 STR_FMT(c->name));
}

/* Does the scope have a key part of that name? */
static bool is_part(const struct scope *s, struct str name)
{
    for (const struct binding *b = s->bindings; b; b = b->next) {
        if (b->part && b->path.n == 1 && str_eq(b->path.members[0], name))
            return true;
    }
    return false;
}

/* The attribute that the column has its name from goes to the column whose `from` names it. */
static void check_taken(struct scope *s, const struct columns_spec *columns,
                        const struct column_spec *c)
{
    struct planner *p = s->planner;
    if (c->from.n || is_part(s, c->name))
        return;
    for (uint32_t i = 0; i < columns->n; i++) {
        const struct path *from = &columns->v[i].from;
        if (from->n == 0 || !str_eq(path_join(p->arena, from), c->name))
            continue;
        problems_add(p->problems, c->place,
                     "columns \"%.*s\" and \"%.*s\" take the same attribute\n"
                     "hint: an attribute fills one column; name that of \"%.*s\" with \"from\"",
                     STR_FMT(columns->v[i].name), STR_FMT(c->name), STR_FMT(c->name));
        return;
    }
}

void columns_certain(struct scope *s, const struct columns_spec *columns)
{
    if (!s->planner->reserved)
        return;
    for (uint32_t i = 0; i < columns->n; i++) {
        check_double(s->planner, &columns->v[i]);
        check_taken(s, columns, &columns->v[i]);
    }
}
