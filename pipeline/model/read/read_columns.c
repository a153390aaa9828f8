/* SPDX-License-Identifier: MIT */
/* Columns: "name": "type", or an object that says more. */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/model/read/reader.h"

static void read_type(struct model_reader *r, struct model_node n, void *target)
{
    struct cast *cast = target;
    const char *names[COL_TYPES];
    struct str s = {0};
    struct buf list;
    if (!read_string(r, n, &s) || column_type_parse(s, &cast->type))
        return;
    buf_init(&list, BUF_NO_LIMIT);
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++)
        names[t] = column_type_name(t);
    column_type_list(&list, 0, ", ");
    buf_puts(&list, ", and arrays such as text[] of all but jsonb");
    const char *near = column_type_suggest(s);
    if (!near)
        near = name_nearest(s, names, COL_TYPES);
    problems_add(r->problems, read_place(r, n.at), "%s is no column type\nhint: %s%s%s%s",
                 read_show(r, s), near ? "did you mean \"" : "", near ? near : "",
                 near ? "\"? the types are " : "the types are ", buf_cstr(&list));
    buf_release(&list);
}

static void read_unit(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice UNITS[] = {{"s", UNIT_S}, {"ms", UNIT_MS}, {"us", UNIT_US}};
    int v = 0;
    if (read_choice(r, n, UNITS, NRULES(UNITS), &v))
        ((struct cast *)target)->unit = (enum time_unit)v;
}

static void read_lossy_name(struct model_reader *r, struct model_node n, struct cast *cast)
{
    static const struct choice LOSSY[] = {{"float", LOSSY_FLOAT}, {"json", LOSSY_JSON},
                                          {"nul", LOSSY_NUL},     {"round", LOSSY_ROUND},
                                          {"text", LOSSY_TEXT},   {"parse", LOSSY_PARSE}};
    int v = 0;
    if (read_choice(r, n, LOSSY, NRULES(LOSSY), &v))
        cast->lossy |= (unsigned)v;
}

static void read_lossy(struct model_reader *r, struct model_node n, void *target)
{
    yyjson_arr_iter it;
    if (!yyjson_is_arr(n.v)) {
        read_lossy_name(r, n, target);
        return;
    }
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_lossy_name(r, read_node_element(r, n, v), target);
}

static void refuse_unit(struct model_reader *r, const struct column_spec *c)
{
    struct buf list;
    buf_init(&list, BUF_NO_LIMIT);
    column_type_list(&list, COLUMN_UNIT, " or ");
    problems_add(
        r->problems, c->place,
        "column %s has a unit, but is no %s\nhint: a unit says how a number counts time",
        read_show(r, c->name), buf_cstr(&list));
    buf_release(&list);
}

static void check_sources(struct model_reader *r, const struct column_spec *c)
{
    bool twice = false;
    for (uint32_t i = 0; i < c->from_any.n; i++) {
        for (uint32_t k = 0; k < i; k++)
            twice |= path_eq(&c->from_any.v[i], &c->from_any.v[k]);
    }
    if (twice) {
        problems_add(r->problems, c->place,
                     "column %s names an attribute twice in \"from_any\"",
                     read_show(r, c->name));
    }
    if (c->from.n && c->from_any.n) {
        problems_add(r->problems, c->place,
                     "column %s has both \"from\" and \"from_any\"\n"
                     "hint: \"from_any\" lists all attributes that it may be filled from",
                     read_show(r, c->name));
    }
    if (c->prefer == PREFER_FIRST && !c->from_any.n) {
        problems_add(r->problems, c->place,
                     "column %s prefers the first of several attributes, and names none\n"
                     "hint: \"from_any\": [\"A\", \"B\"] does",
                     read_show(r, c->name));
    }
}

static void check_parse(struct model_reader *r, const struct column_spec *c)
{
    if (c->cast.lossy & LOSSY_PARSE && c->parse == DECODER_TEXT) {
        problems_add(r->problems, c->place,
                     "column %s has the lossy rule \"parse\", but parses nothing\n"
                     "hint: \"parse\": \"json\" or \"dynamodb\" says what its texts hold",
                     read_show(r, c->name));
    }
}

void read_column(struct model_reader *r, struct model_node n, void *element)
{
    static const struct rule RULES[] = {
        {"type", read_type, offsetof(struct column_spec, cast), true},
        {"from", read_path, offsetof(struct column_spec, from), false},
        {"from_any", read_paths, offsetof(struct column_spec, from_any), false},
        {"not_null", read_flag, offsetof(struct column_spec, not_null), false},
        {"null_if", read_texts, offsetof(struct column_spec, null_if), false},
        {"unit", read_unit, offsetof(struct column_spec, cast), false},
        {"zone", read_zone, 0, false},
        {"ambiguous", read_ambiguous, 0, false},
        {"format", read_formats, 0, false},
        {"parse", read_parse, offsetof(struct column_spec, parse), false},
        {"lossy", read_lossy, offsetof(struct column_spec, cast), false},
        {"prefer", read_prefer_any, offsetof(struct column_spec, prefer), false}};
    struct column_spec *c = element;
    c->name = n.name;
    c->place = read_place(r, n.key);
    if (!read_key_is_name(r, n))
        return;
    if (yyjson_is_str(n.v)) {
        read_type(r, n, &c->cast);
    } else if (yyjson_is_obj(n.v)) {
        read_object(r, n, RULES, NRULES(RULES), c);
    } else {
        read_wrong_type(r, n, "a column type or an object with \"type\"");
    }
    if (c->cast.unit != UNIT_NONE && !column_type_has(c->cast.type, COLUMN_UNIT))
        refuse_unit(r, c);
    c->cast.time = c->time;
    read_times_check(r, c);
    check_sources(r, c);
    check_parse(r, c);
}
