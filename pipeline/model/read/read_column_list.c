/* SPDX-License-Identifier: MIT */
/*
 * Lists of columns: an object of them, the name of a list that stands under "define", or a list
 * of names, which are text columns, of objects and of the names of such lists.
 */
#include "pipeline/base/map.h"
#include "pipeline/model/read/reader.h"

enum { NAME_MAX_BYTES = 63 }; /* PostgreSQL cuts names there */

struct column_list {
    struct str name;
    struct columns_spec columns;
    struct column_list *next;
};

/* Finds names that PostgreSQL would take for one. Equal ones were found as repeated members. */
static void check_lengths(struct model_reader *r, const struct columns_spec *columns)
{
    struct map seen;
    map_init(&seen);
    for (uint32_t i = 0; i < columns->n; i++) {
        struct str name = columns->v[i].name, cut = name;
        if (cut.n > NAME_MAX_BYTES)
            cut.n = NAME_MAX_BYTES;
        uint32_t before = map_get(&seen, cut);
        if (before == MAP_NONE) {
            r->nomem = map_put(&seen, cut, i) || r->nomem;
        } else if (!str_eq(columns->v[before].name, name)) {
            problems_add(r->problems, columns->v[i].place,
                         "column %s and the one at line %u are equal in their first 63 bytes"
                         "\nhint: shorten one and name its attribute with \"from\"",
                         read_show(r, name), columns->v[before].place.line);
        }
    }
    map_release(&seen);
}

static bool share_source(const struct column_spec *a, const struct column_spec *b)
{
    bool share = a->from.n && column_spec_takes(b, &a->from);
    for (uint32_t i = 0; !share && i < a->from_any.n; i++)
        share = column_spec_takes(b, &a->from_any.v[i]);
    return share;
}

static void check_from(struct model_reader *r, const struct columns_spec *columns)
{
    for (uint32_t i = 0; i < columns->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (share_source(&columns->v[i], &columns->v[k])) {
                problems_add(r->problems, columns->v[i].place,
                             "columns %s and %s take the same attribute\nhint: an attribute "
                             "fills one column; derive a second one",
                             read_show(r, columns->v[k].name),
                             read_show(r, columns->v[i].name));
                break;
            }
        }
    }
}

static const struct column_list *find_list(const struct model_reader *r, struct str name)
{
    const struct column_list *l = r->lists;
    while (l && !str_eq(l->name, name))
        l = l->next;
    return l;
}

/* Adds columns that are in no list so far; `at` is where the list that has them is named. */
static void add_columns(struct model_reader *r, struct model_node at, struct columns_spec *to,
                        const struct columns_spec *more)
{
    struct column_spec *v = read_array(r, to->n + more->n, sizeof *v);
    if (!v)
        return;
    if (to->n)
        memcpy(v, to->v, to->n * sizeof *v);
    to->v = v;
    for (uint32_t i = 0; i < more->n; i++) {
        uint32_t k = 0;
        while (k < to->n && !str_eq(v[k].name, more->v[i].name))
            k++;
        if (k == to->n) {
            v[to->n++] = more->v[i];
        } else {
            problems_add(r->problems, read_place(r, at.at), "column %s stands twice in %s",
                         read_show(r, more->v[i].name), read_show(r, at.name));
        }
    }
}

static void unknown_list(struct model_reader *r, struct model_node n, struct str name)
{
    const char *names[64];
    size_t count = 0;
    for (const struct column_list *l = r->lists; l && count < 64; l = l->next)
        names[count++] = l->name.p;
    const char *near = name_nearest(name, names, count);
    problems_add(r->problems, read_place(r, n.at),
                 "no list of columns is called %s\nhint: %s%s%s", read_show(r, name),
                 near ? "did you mean \"" : "\"define\" in the model names such lists",
                 near ? near : "", near ? "\"?" : "");
}

static void read_members(struct model_reader *r, struct model_node n, struct columns_spec *to)
{
    struct columns_spec own = {0};
    own.v = read_each(r, n, sizeof *own.v, read_column, &own.n);
    if (own.v)
        add_columns(r, n, to, &own);
}

/* One element of a list: columns, the name of a list of columns, or that of a text column. */
static void read_element(struct model_reader *r, struct model_node n, struct columns_spec *to)
{
    struct str name = {0};
    if (yyjson_is_obj(n.v)) {
        read_members(r, n, to);
        return;
    }
    read_name(r, n, &name);
    const struct column_list *l = name.n ? find_list(r, name) : NULL;
    struct column_spec text = {.name = name, .place = read_place(r, n.at)};
    if (name.n)
        add_columns(r, n, to, l ? &l->columns : &(struct columns_spec){&text, 1});
}

static void read_list(struct model_reader *r, struct model_node n, struct columns_spec *to)
{
    yyjson_arr_iter it;
    if (yyjson_arr_size(n.v) == 0) {
        problems_add(r->problems, read_place(r, n.at), "%s is an empty list",
                     read_show(r, n.name));
    }
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_element(r, read_node_element(r, n, v), to);
}

void read_columns(struct model_reader *r, struct model_node n, void *target)
{
    struct columns_spec *columns = target;
    *columns = (struct columns_spec){0};
    if (yyjson_is_arr(n.v)) {
        read_list(r, n, columns);
    } else if (yyjson_is_str(n.v)) {
        const struct column_list *l = find_list(r, read_node_str(n));
        if (l) {
            *columns = l->columns;
        } else {
            unknown_list(r, n, read_node_str(n));
        }
        return;
    } else {
        columns->v = read_each(r, n, sizeof *columns->v, read_column, &columns->n);
    }
    check_lengths(r, columns);
    check_from(r, columns);
}

static void read_one_list(struct model_reader *r, struct model_node n, void *element)
{
    struct column_list *l = element;
    struct column_list **end = &r->lists;
    l->name = n.name;
    if (!read_key_is_name(r, n))
        return;
    read_columns(r, n, &l->columns);
    while (*end)
        end = &(*end)->next;
    *end = l;
}

void read_define(struct model_reader *r, yyjson_val *root)
{
    yyjson_obj_iter it;
    uint32_t n = 0;
    if (!yyjson_is_obj(root))
        return;
    yyjson_obj_iter_init(root, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node node = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        if (str_is(node.name, "define"))
            (void)read_each(r, node, sizeof(struct column_list), read_one_list, &n);
    }
}
