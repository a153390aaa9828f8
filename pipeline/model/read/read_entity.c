/* SPDX-License-Identifier: MIT */
/* Entities: route, table, stages, columns, and what a backfill writes. */
#include "pipeline/model/read/reader.h"

static void read_primary_key(struct model_reader *r, struct model_node n, void *target)
{
    struct entity *e = target;
    e->primary_key_place = read_place(r, n.at);
    read_names(r, n, &e->primary_key);
}

static void read_reference(struct model_reader *r, struct model_node n,
                           struct reference_spec *ref)
{
    static const struct rule RULES[] = {
        {"columns", read_names, offsetof(struct reference_spec, columns), true},
        {"to", read_name, offsetof(struct reference_spec, to), true}};
    *ref = (struct reference_spec){.place = read_place(r, n.at)};
    read_object(r, n, RULES, NRULES(RULES), ref);
}

void read_references(struct model_reader *r, struct model_node n, void *target)
{
    struct references_spec *refs = target;
    yyjson_arr_iter it;
    if (!yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a list such as [{\"columns\": [\"a_id\"], \"to\": \"a\"}]");
        return;
    }
    *refs = (struct references_spec){.v = read_array(r, yyjson_arr_size(n.v), sizeof *refs->v)};
    if (!refs->v)
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_reference(r, read_node_element(r, n, v), &refs->v[refs->n++]);
}

static void read_missing(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice MISSING[] = {{"skip", MISSING_SKIP}, {"fail", MISSING_FAIL}};
    int v = 0;
    if (read_choice(r, n, MISSING, NRULES(MISSING), &v))
        *(enum missing_rule *)target = (enum missing_rule)v;
}

static void read_kind(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice KINDS[] = {{"S", VAL_S}, {"N", VAL_N}, {"B", VAL_B}};
    int v = 0;
    if (read_choice(r, n, KINDS, NRULES(KINDS), &v))
        ((struct backfill_spec *)target)->kind = (enum val_kind)v;
}

static void read_value(struct model_reader *r, struct model_node n, void *target)
{
    (void)read_template(r, n, target);
}

static void read_attribute(struct model_reader *r, struct model_node n, void *target)
{
    struct backfill_spec *b = target;
    static const struct rule RULES[] = {
        {"type", read_kind, 0, true},
        {"value", read_value, offsetof(struct backfill_spec, tpl), true}};
    *b = (struct backfill_spec){
        .place = read_place(r, n.key), .attribute = n.name, .kind = VAL_S};
    if (!read_key_is_name(r, n))
        return;
    if (yyjson_is_null(n.v)) {
        b->remove = true;
    } else if (yyjson_is_obj(n.v)) {
        read_object(r, n, RULES, NRULES(RULES), b);
    } else if (yyjson_is_str(n.v)) {
        read_value(r, n, &b->tpl);
    } else {
        read_wrong_type(r, n, "a template, null or {\"type\": \"N\", \"value\": \"{n}\"}");
    }
}

static void read_set(struct model_reader *r, struct model_node n, void *target)
{
    struct entity *e = target;
    e->backfill = read_each(r, n, sizeof *e->backfill, read_attribute, &e->nbackfill);
}

/* Reads either attributes and templates, or {"set": {those}, "when": .., "missing": ..}. */
static void read_backfill(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"set", read_set, 0, true},
        {"when", read_cond, offsetof(struct entity, backfill_when), false},
        {"missing", read_missing, offsetof(struct entity, backfill_missing), false}};
    if (yyjson_is_obj(n.v) && yyjson_is_obj(yyjson_obj_get(n.v, "set"))) {
        read_object(r, n, RULES, NRULES(RULES), target);
    } else {
        read_set(r, n, target);
    }
}

static void read_merge(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice WINNERS[] = {
        {"first", EXTRACT_FIRST}, {"last", EXTRACT_LAST}, {"majority", EXTRACT_MAJORITY}};
    struct entity *e = target;
    int v = 0;
    e->merge = read_choice(r, n, WINNERS, NRULES(WINNERS), &v);
    e->merge_rule = (enum extract_rule)v;
}

void read_entity(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"types", read_names, offsetof(struct entity, types), false},
        {"when", read_cond, offsetof(struct entity, when), false},
        {"keys", read_keys, offsetof(struct entity, keys), false},
        {"no_sep", read_nothing, 0, false},
        {"source", read_name, offsetof(struct entity, source), false},
        {"table", read_name, offsetof(struct entity, table), false},
        {"primary_key", read_primary_key, 0, false},
        {"references", read_references, offsetof(struct entity, references), false},
        {"stages", read_stages, offsetof(struct entity, stages), false},
        {"columns", read_columns, offsetof(struct entity, columns), false},
        {"rest", read_rest, offsetof(struct entity, rest), false},
        {"nulls", read_nulls, offsetof(struct entity, nulls), false},
        {"prefer", read_prefer, offsetof(struct entity, prefer), false},
        {"merge", read_merge, 0, false},
        {"backfill", read_backfill, 0, false},
        {"backfill_when", read_cond, offsetof(struct entity, backfill_when), false},
        {"backfill_missing", read_missing, offsetof(struct entity, backfill_missing), false}};
    struct entity *e = target;
    struct path name = {&e->name, 1};
    size_t before = r->problems->count;
    *e = (struct entity){.name = n.name, .place = read_place(r, n.at)};
    bool of_model = r->no_sep;
    read_no_sep(r, n.v);
    if (read_key_is_name(r, n))
        read_object(r, n, RULES, NRULES(RULES), e);
    r->no_sep = of_model;
    e->broken = r->problems->count > before;
    if (e->table.n == 0)
        e->table = name_snake(r->a, &name);
    r->nomem = r->nomem || !e->table.p;
}
