/* SPDX-License-Identifier: MIT */
/*
 * Duplicated attributes become candidates for one row of their own table. Nothing is decided
 * here: the sink reduces all candidates of a key when the last segment is done.
 */
#include "pipeline/plan/columns.h"
#include "pipeline/stage/stage.h"

struct extract_spec {
    struct extract_table to;
    struct path by; /* the attribute that the rule `latest` goes by */
};

struct extracting {
    struct extract_cells cells;
    struct sources by;
    uint32_t nkey;
    uint32_t *key; /* indexes into fills */
};

static void read_rule(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice WINNERS[] = {{"owner", EXTRACT_OWNER},
                                            {"first", EXTRACT_FIRST},
                                            {"last", EXTRACT_LAST},
                                            {"latest", EXTRACT_LATEST},
                                            {"majority", EXTRACT_MAJORITY}};
    struct extract_spec *e = target;
    int v = 0;
    if (read_choice(r, n, WINNERS, NRULES(WINNERS), &v)) {
        e->to.rule = (enum extract_rule)v;
        e->to.rule_given = true;
    }
}

static void tell_missing(struct model_reader *r, struct model_node n,
                         const struct extract_spec *e, struct str name)
{
    const char **v = read_array(r, e->to.columns.n, sizeof *v);
    for (uint32_t i = 0; v && i < e->to.columns.n; i++)
        v[i] = e->to.columns.v[i].name.p;
    const char *near = v ? name_nearest(name, v, e->to.columns.n) : NULL;
    problems_add(r->problems, read_place(r, n.at),
                 "key column %s is not among the columns of the extract\nhint: %s%s%s",
                 read_show(r, name), near ? "did you mean \"" : "add it to \"columns\"",
                 near ? near : "", near ? "\"?" : "");
}

static void check_key(struct model_reader *r, struct model_node n, const struct extract_spec *e)
{
    for (uint32_t i = 0; i < e->to.key.n; i++) {
        uint32_t k = 0;
        while (k < e->to.columns.n && !str_eq(e->to.columns.v[k].name, e->to.key.v[i]))
            k++;
        if (k == e->to.columns.n) {
            tell_missing(r, n, e, e->to.key.v[i]);
        }
    }
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"into", read_name, offsetof(struct extract_spec, to.into), true},
        {"key", read_names, offsetof(struct extract_spec, to.key), true},
        {"columns", read_columns, offsetof(struct extract_spec, to.columns), true},
        {"rule", read_rule, 0, false},
        {"by", read_path, offsetof(struct extract_spec, by), false}};
    struct extract_spec *e = target;
    read_object(r, n, RULES, NRULES(RULES), e);
    if (!yyjson_is_obj(n.v))
        return;
    if (e->to.columns.n)
        check_key(r, n, e);
    bool latest = e->to.rule_given && e->to.rule == EXTRACT_LATEST;
    if (latest && e->by.n == 0) {
        problems_add(r->problems, read_place(r, n.at),
                     "rule \"latest\" needs \"by\", the attribute that says how late");
    } else if (!latest && e->by.n) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"by\" is for the rule \"latest\" only");
    }
}

static void tables(const struct stage_spec *stage, struct read_tables *t)
{
    const struct extract_spec *spec = stage->spec;
    read_table_made(t, spec->to.into, stage->place);
}

static bool key_complete(const struct extracting *e, const struct row *row)
{
    for (uint32_t i = 0; i < e->nkey; i++) {
        if (row->cells[e->cells.fills.v[e->key[i]].column].state != DATUM_VALUE)
            return false;
    }
    return true;
}

/* The value that `latest` goes by is stored with the candidate, but in no column: no cast
   checks it, so it is checked here. */
static enum rc set_order(const struct extracting *e, const struct frame *f, struct row *row)
{
    const struct val *v = e->by.n ? cells_source(&e->by, f) : NULL;
    if (!v || (v->kind != VAL_S && v->kind != VAL_N))
        return RC_OK;
    if (value_has_nul(v)) {
        return fault_set(f->why, "nul", 0, "what \"%.*s\" goes by holds a NUL byte",
                         STR_FMT(f->schema->tables[row->table].name));
    }
    row->order_type = v->kind == VAL_N ? COL_NUMERIC : COL_TEXT;
    row->order = (struct datum){.state = DATUM_VALUE, .u.text = v->u.s};
    return RC_OK;
}

static void take(const struct extracting *e, struct frame *f)
{
    for (uint32_t i = 0; f->taken && i < e->cells.fills.n; i++) {
        for (uint32_t k = 0; k < e->cells.fills.v[i].from.n; k++)
            f->taken[e->cells.fills.v[i].from.slots[k]] = true;
    }
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct extracting *e = op->data;
    uint32_t into = f->schema->extracts[e->cells.id].into;
    struct row *row = cells_new_row(f->out, f->arena, f->schema, into);
    if (!row)
        return RC_NOMEM;
    row->extract = e->cells.id;
    row->source_key = f->source_key;
    enum rc rc = cells_cast(&e->cells.fills, &f->schema->tables[into], f, row->cells);
    if (!rc && !key_complete(e, row)) {
        f->out->n--; /* without its key it is no row; the item keeps the attributes */
    } else if (!rc) {
        rc = set_order(e, f, row);
        take(e, f);
    }
    return rc;
}

static void find_key(struct scope *s, const struct extract_table *to, struct extracting *e)
{
    e->key = plan_array(s->planner, to->key.n, sizeof *e->key);
    for (uint32_t k = 0; e->key && k < to->key.n; k++) {
        for (uint32_t i = 0; i < to->columns.n; i++) {
            if (str_eq(to->columns.v[i].name, to->key.v[k]))
                e->key[e->nkey++] = i;
        }
    }
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct extract_spec *spec = stage->spec;
    const struct columns_spec *columns = &spec->to.columns;
    struct extracting *e = plan_array(s->planner, 1, sizeof *e);
    if (!e)
        return;
    e->cells.fills.v = plan_array(s->planner, columns->n, sizeof *e->cells.fills.v);
    if (!e->cells.fills.v)
        return;
    columns_mention(s, columns);
    columns_certain(s, columns);
    for (uint32_t i = 0; i < columns->n; i++) {
        columns_fill(s, columns, i, spec->to.into, &e->cells.fills.v[i]);
        e->cells.fills.v[i].not_null = false;
        e->cells.fills.n++;
    }
    find_key(s, &spec->to, e);
    if (spec->by.n)
        e->by = scope_find(s, &spec->by, stage->place);
    scope_add_extract(s, &spec->to, &e->cells);
    scope_add_op(s, &(struct op){.apply = apply, .data = e, .note = NOTE_NONE});
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct extract_spec *e = spec;
    buf_puts(x->out, ": ");
    transform_trace_rows(x->trace, x->schema, e->to.into, true, x->out);
}

const struct stage stage_extract = {.name = "extract",
                                    .spec_size = sizeof(struct extract_spec),
                                    .read = read_spec,
                                    .plan = plan,
                                    .explain = explain,
                                    .tables = tables};
