/* SPDX-License-Identifier: MIT */
/*
 * A list, set or map becomes rows of a child table. The planner makes that table later: it needs
 * the parent's key, which is known when the parent's columns are.
 */
#include "pipeline/stage/stage.h"

struct explode_spec {
    struct path from;
    struct str into;
    struct str ordinal; /* empty: "ordinal" for lists */
    struct columns_spec columns;
    struct stages_spec stages;
    enum rest_rule rest;
};

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_path, offsetof(struct explode_spec, from), true},
        {"into", read_name, offsetof(struct explode_spec, into), true},
        {"ordinal", read_name, offsetof(struct explode_spec, ordinal), false},
        {"columns", read_columns, offsetof(struct explode_spec, columns), false},
        {"stages", read_stages, offsetof(struct explode_spec, stages), false},
        {"rest", read_rest, offsetof(struct explode_spec, rest), false}};
    read_object(r, n, RULES, NRULES(RULES), target);
}

static void tables(const struct stage_spec *stage, struct read_tables *t)
{
    const struct explode_spec *e = stage->spec;
    read_table_made(t, e->into, stage->place);
    read_tables_of(t, &e->stages);
}

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
    bool plain = e->columns.n == 0 && e->stages.n == 0;
    bool value_only = e->columns.n == 1 && has_column(&e->columns, "value");
    return plain || value_only ? EXPLODE_SET : EXPLODE_LIST;
}

/* Where the model says nothing about the element, its value is the one column. */
static struct columns_spec columns_of(struct planner *p, const struct explode_spec *e,
                                      struct place at)
{
    if (e->columns.n || e->stages.n)
        return e->columns;
    struct column_spec *v = plan_array(p, 1, sizeof *v);
    if (!v)
        return (struct columns_spec){0};
    *v = (struct column_spec){.name = STR("value"), .place = at};
    return (struct columns_spec){v, 1};
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct explode_spec *e = stage->spec;
    struct binding *b = scope_attribute(s, &e->from, stage->place);
    if (!b)
        return;
    if (b->node) {
        b->node->consumed = true;
        b->node->exploded = true;
    }
    struct explode explode = {.from = scope_find(s, &e->from, stage->place),
                              .name = e->from.members[e->from.n - 1],
                              .mode = mode_of(e)};
    struct child_table child = {.place = stage->place,
                                .into = e->into,
                                .ordinal = e->ordinal,
                                .columns = columns_of(s->planner, e, stage->place),
                                .stages = &e->stages,
                                .rest = e->rest};
    scope_add_child(s, &explode, &child);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct explode_spec *e = spec;
    buf_puts(x->out, ": ");
    path_print(&e->from, x->out);
    buf_puts(x->out, ", ");
    transform_trace_rows(x->trace, x->schema, e->into, false, x->out);
}

const struct stage stage_explode = {.name = "explode",
                                    .spec_size = sizeof(struct explode_spec),
                                    .read = read_spec,
                                    .plan = plan,
                                    .explain = explain,
                                    .tables = tables};
