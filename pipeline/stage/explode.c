/* SPDX-License-Identifier: MIT */
/*
 * A list, set or map becomes rows of a child table. The planner makes that table later: it needs
 * the parent's key, which is known when the parent's columns are.
 */
#include "pipeline/stage/stage.h"

enum empty_rule { EMPTY_KEEP = 0, EMPTY_DROP };

struct explode_spec {
    struct path from;
    struct str into;
    struct str ordinal;    /* empty: "ordinal" for lists */
    struct str key, value; /* of a map, of what is no map; empty: "key", "value" */
    struct columns_spec columns;
    struct stages_spec stages;
    struct names primary_key;
    struct references_spec references;
    enum rest_rule rest;
    enum empty_rule empty;
    enum decoder_parse parse;
    unsigned lossy;
};

static void read_empty(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice EMPTY[] = {{"keep", EMPTY_KEEP}, {"drop", EMPTY_DROP}};
    int v = 0;
    if (read_choice(r, n, EMPTY, NRULES(EMPTY), &v))
        *(enum empty_rule *)target = (enum empty_rule)v;
}

static void check_names(struct model_reader *r, struct model_node n,
                        const struct explode_spec *e)
{
    if (e->ordinal.n && e->key.n) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"ordinal\" is for lists, \"key\" for maps: an explode takes one of them"
                     "\nhint: leave out the one that the attribute is not");
    }
    if (e->key.n && str_eq(e->key, e->value)) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"key\" and \"value\" are both %s\nhint: give each its own name",
                     read_show(r, e->key));
    }
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_path, offsetof(struct explode_spec, from), true},
        {"into", read_name, offsetof(struct explode_spec, into), true},
        {"ordinal", read_name, offsetof(struct explode_spec, ordinal), false},
        {"key", read_name, offsetof(struct explode_spec, key), false},
        {"value", read_name, offsetof(struct explode_spec, value), false},
        {"columns", read_columns, offsetof(struct explode_spec, columns), false},
        {"stages", read_stages, offsetof(struct explode_spec, stages), false},
        {"primary_key", read_names, offsetof(struct explode_spec, primary_key), false},
        {"references", read_references, offsetof(struct explode_spec, references), false},
        {"rest", read_rest, offsetof(struct explode_spec, rest), false},
        {"empty", read_empty, offsetof(struct explode_spec, empty), false},
        {"parse", read_parse, offsetof(struct explode_spec, parse), false},
        {"lossy", read_parse_lossy, offsetof(struct explode_spec, lossy), false}};
    read_object(r, n, RULES, NRULES(RULES), target);
    check_names(r, n, target);
}

static void tables(const struct stage_spec *stage, struct read_tables *t)
{
    const struct explode_spec *e = stage->spec;
    read_table_made(t, e->into, stage->place);
    for (uint32_t i = 0; i < e->references.n; i++)
        read_table_named(t, &e->references.v[i]);
    read_tables_of(t, &e->stages);
}

static struct str key_name(const struct explode_spec *e)
{
    return e->key.n ? e->key : STR("key");
}

static struct str value_name(const struct explode_spec *e)
{
    return e->value.n ? e->value : STR("value");
}

static bool takes(const struct column_spec *c, struct str name)
{
    return c->from.n == 1 && str_eq(c->from.members[0], name);
}

/* Finds a column called so, or one that takes the attribute of that name. */
static const struct column_spec *find_column(const struct columns_spec *c, struct str name,
                                             bool taking)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (str_eq(c->v[i].name, name) || (taking && takes(&c->v[i], name)))
            return &c->v[i];
    }
    return NULL;
}

static bool is_plain(const struct explode_spec *e)
{
    return e->columns.n == 0 && e->stages.n == 0;
}

static enum explode_mode mode_of(const struct explode_spec *e)
{
    if (e->ordinal.n)
        return EXPLODE_LIST;
    if (e->key.n || find_column(&e->columns, STR("key"), false))
        return EXPLODE_MAP;
    bool value_only = e->columns.n == 1 && find_column(&e->columns, value_name(e), false);
    return is_plain(e) || value_only ? EXPLODE_SET : EXPLODE_LIST;
}

/* Columns that the model names by "key" and "value" alone come first, and are text. Where it says
   nothing about the element, its value is the one column. */
static struct columns_spec columns_of(struct planner *p, const struct explode_spec *e,
                                      struct place at)
{
    struct columns_spec out = {.v = plan_array(p, e->columns.n + 2, sizeof *out.v)};
    bool key = e->key.n && !find_column(&e->columns, e->key, true);
    bool value = is_plain(e) || (e->value.n && !find_column(&e->columns, e->value, true));
    if (!out.v)
        return out;
    if (key)
        out.v[out.n++] = (struct column_spec){.name = e->key, .place = at};
    if (value)
        out.v[out.n++] = (struct column_spec){.name = value_name(e), .place = at};
    for (uint32_t i = 0; i < e->columns.n; i++)
        out.v[out.n++] = e->columns.v[i];
    return out;
}

static void consume(struct name_node *node, const struct explode_spec *e)
{
    node->consumed = true;
    node->exploded = node->exploded || e->empty == EMPTY_KEEP;
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct explode_spec *e = stage->spec;
    struct binding *b = scope_attribute(s, &e->from, stage->place);
    if (!b)
        return;
    if (b->node)
        consume(b->node, e);
    struct explode explode = {.from = scope_find(s, &e->from, stage->place),
                              .name = e->from.members[e->from.n - 1],
                              .mode = mode_of(e),
                              .key = key_name(e),
                              .value = value_name(e)};
    struct parse_rule rule = {
        .form = e->parse, .keep = e->lossy & LOSSY_PARSE, .note = NOTE_NONE};
    if (e->parse != DECODER_TEXT)
        scope_parse(s, &explode.from, &e->from, &rule, stage->place);
    struct child_table child = {.place = stage->place,
                                .into = e->into,
                                .ordinal = e->ordinal,
                                .columns = columns_of(s->planner, e, stage->place),
                                .primary_key = &e->primary_key,
                                .references = &e->references,
                                .stages = &e->stages,
                                .rest = e->rest};
    for (uint32_t i = 0; explode.mode == EXPLODE_LIST && i < e->columns.n; i++)
        explode.pairs = explode.pairs || takes(&e->columns.v[i], explode.key);
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
