/* SPDX-License-Identifier: MIT */
/* Columns: "name": "type", or an object that says more. */
#include "pipeline/base/map.h"
#include "pipeline/model/model_reader.h"

enum { NAME_MAX_BYTES = 63 }; /* PostgreSQL cuts names there */

/* What people write who think in other type systems. */
static const char *other_name(struct str s)
{
    static const char *const ALIASES[][2] = {{"string", "text"},
                                             {"varchar", "text"},
                                             {"char", "text"},
                                             {"int", "integer"},
                                             {"int4", "integer"},
                                             {"smallint", "integer"},
                                             {"int8", "bigint"},
                                             {"long", "bigint"},
                                             {"number", "numeric"},
                                             {"decimal", "numeric"},
                                             {"float", "double precision"},
                                             {"double", "double precision"},
                                             {"real", "double precision"},
                                             {"float8", "double precision"},
                                             {"bool", "boolean"},
                                             {"binary", "bytea"},
                                             {"blob", "bytea"},
                                             {"bytes", "bytea"},
                                             {"timestamp", "timestamptz"},
                                             {"datetime", "timestamptz"},
                                             {"json", "jsonb"},
                                             {"map", "jsonb"},
                                             {"list", "jsonb"},
                                             {"guid", "uuid"},
                                             {"string[]", "text[]"},
                                             {"number[]", "numeric[]"},
                                             {"binary[]", "bytea[]"}};
    for (size_t i = 0; i < NRULES(ALIASES); i++) {
        if (str_is(s, ALIASES[i][0]))
            return ALIASES[i][1];
    }
    return NULL;
}

static void read_type(struct reader *r, struct node n, void *target)
{
    struct cast *cast = target;
    const char *names[COL_TYPES];
    struct str s = {0};
    struct buf list;
    if (!read_string(r, n, &s) || col_type_parse(s, &cast->type))
        return;
    buf_init(&list, BUF_NO_LIMIT);
    for (size_t i = 0; i < COL_TYPES; i++) {
        names[i] = col_type_name((enum col_type)i);
        buf_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    const char *near = other_name(s);
    if (!near)
        near = name_nearest(s, names, COL_TYPES);
    problems_add(r->problems, reader_place(r, n.at), "%s is no column type\nhint: %s%s%s%s",
                 reader_show(r, s), near ? "did you mean \"" : "", near ? near : "",
                 near ? "\"? the types are " : "the types are ", buf_cstr(&list));
    buf_release(&list);
}

static void read_unit(struct reader *r, struct node n, void *target)
{
    static const struct choice UNITS[] = {{"s", UNIT_S}, {"ms", UNIT_MS}, {"us", UNIT_US}};
    int v = 0;
    if (reader_choice(r, n, UNITS, NRULES(UNITS), &v))
        ((struct cast *)target)->unit = (enum time_unit)v;
}

static void read_lossy_name(struct reader *r, struct node n, struct cast *cast)
{
    static const struct choice LOSSY[] = {{"float", LOSSY_FLOAT},
                                          {"json", LOSSY_JSON},
                                          {"nul", LOSSY_NUL},
                                          {"round", LOSSY_ROUND}};
    int v = 0;
    if (reader_choice(r, n, LOSSY, NRULES(LOSSY), &v))
        cast->lossy |= (unsigned)v;
}

static void read_lossy(struct reader *r, struct node n, void *target)
{
    yyjson_arr_iter it;
    if (!yyjson_is_arr(n.v)) {
        read_lossy_name(r, n, target);
        return;
    }
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_lossy_name(r, node_element(r, n, v), target);
}

static void read_column(struct reader *r, struct node n, struct column_spec *c)
{
    static const struct rule RULES[] = {
        {"type", read_type, offsetof(struct column_spec, cast), true},
        {"from", read_path, offsetof(struct column_spec, from), false},
        {"not_null", read_flag, offsetof(struct column_spec, not_null), false},
        {"unit", read_unit, offsetof(struct column_spec, cast), false},
        {"lossy", read_lossy, offsetof(struct column_spec, cast), false},
        {"prefer", read_prefer, offsetof(struct column_spec, prefer), false}};
    if (yyjson_is_str(n.v)) {
        read_type(r, n, &c->cast);
    } else if (yyjson_is_obj(n.v)) {
        reader_object(r, n, RULES, NRULES(RULES), c);
    } else {
        reader_wrong_type(r, n, "a column type or an object with \"type\"");
    }
    if (c->cast.unit != UNIT_NONE && c->cast.type != COL_TIMESTAMPTZ) {
        problems_add(r->problems, c->place,
                     "column %s has a unit, but is no timestamptz\nhint: a unit says how a "
                     "number counts time",
                     reader_show(r, c->name));
    }
}

/* Names that PostgreSQL would take for one. Byte-equal ones are found as repeated members. */
static void check_lengths(struct reader *r, const struct columns_spec *columns)
{
    struct map seen;
    map_init(&seen);
    for (uint32_t i = 0; i < columns->n; i++) {
        struct str name = columns->v[i].name, cut = name;
        if (cut.n > NAME_MAX_BYTES)
            cut.n = NAME_MAX_BYTES;
        uint32_t before = map_get(&seen, cut);
        if (before == MAP_NONE) {
            r->nomem = map_put(&seen, cut, i) != RC_OK || r->nomem;
        } else if (!str_eq(columns->v[before].name, name)) {
            problems_add(r->problems, columns->v[i].place,
                         "column %s and the one at line %u are equal in their first 63 bytes"
                         "\nhint: shorten one and name its attribute with \"from\"",
                         reader_show(r, name), columns->v[before].place.line);
        }
    }
    map_release(&seen);
}

static bool same_path(const struct path *a, const struct path *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!str_eq(a->members[i], b->members[i]))
            return false;
    }
    return true;
}

static void check_from(struct reader *r, const struct columns_spec *columns)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        for (uint32_t k = 0; columns->v[i].from.n && k < i; k++) {
            if (same_path(&columns->v[i].from, &columns->v[k].from)) {
                problems_add(r->problems, columns->v[i].place,
                             "columns %s and %s take the same attribute\nhint: an attribute "
                             "fills one column; derive a second one",
                             reader_show(r, columns->v[k].name),
                             reader_show(r, columns->v[i].name));
                break;
            }
        }
    }
}

/* ["a", "b"]: text columns */
static void read_list(struct reader *r, struct node n, struct columns_spec *columns)
{
    struct names names = {0};
    read_names(r, n, &names);
    columns->v = reader_array(r, names.n, sizeof *columns->v);
    if (!columns->v)
        return;
    struct place place = reader_place(r, n.at);
    for (uint32_t i = 0; i < names.n; i++)
        columns->v[columns->n++] = (struct column_spec){.name = names.v[i], .place = place};
}

void read_columns(struct reader *r, struct node n, void *target)
{
    struct columns_spec *columns = target;
    yyjson_obj_iter it;
    *columns = (struct columns_spec){0};
    if (yyjson_is_arr(n.v)) {
        read_list(r, n, columns);
        return;
    }
    if (!reader_is_object(r, n))
        return;
    columns->v = reader_array(r, yyjson_obj_size(n.v), sizeof *columns->v);
    if (!columns->v)
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct node one = node_member(r, key, yyjson_obj_iter_get_val(key));
        struct column_spec *c = &columns->v[columns->n++];
        *c = (struct column_spec){.name = one.name, .place = reader_place(r, one.key)};
        if (key_is_name(r, one))
            read_column(r, one, c);
    }
    check_lengths(r, columns);
    check_from(r, columns);
}
