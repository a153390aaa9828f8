/* SPDX-License-Identifier: MIT */
/*
 * Conditions. An object maps attributes to tests, all of which must hold; `all`, `any` and
 * `not` are reserved (an attribute of such a name is written with a backslash before it). A
 * test is a value, a glob, a list of tests, or an object of named tests. Depth is bounded by
 * that of the model's JSON.
 */
#include "pipeline/model/read/reader.h"

static void read_into(struct model_reader *r, struct model_node n, struct cond *out);

static bool make_kids(struct model_reader *r, struct cond *c, enum cond_op op, size_t n)
{
    c->op = op;
    c->nkids = 0;
    c->kids = read_array(r, n, sizeof *c->kids);
    return c->kids != NULL;
}

/* A group of one condition means that condition. */
static void unwrap(struct cond *c)
{
    if ((c->op == COND_ALL || c->op == COND_ANY) && c->nkids == 1) {
        struct cond only = c->kids[0];
        *c = only;
    }
}

static void read_value(struct model_reader *r, struct model_node n, struct path path,
                       struct cond *out)
{
    struct val v = {0};
    *out = (struct cond){.op = COND_EQ, .path = path};
    if (!read_literal(r, n, &v))
        return;
    out->value = v;
    if (v.kind == VAL_S && (memchr(v.u.s.p, '*', v.u.s.n) || memchr(v.u.s.p, '?', v.u.s.n)))
        out->op = COND_GLOB;
}

static void read_test(struct model_reader *r, struct model_node n, struct path path,
                      struct cond *out);

static void read_any_of(struct model_reader *r, struct model_node n, struct path path,
                        struct cond *out)
{
    yyjson_arr_iter it;
    if (yyjson_arr_size(n.v) == 0) {
        problems_add(r->problems, read_place(r, n.at),
                     "the list of values for %s is empty, so nothing matches",
                     read_show(r, n.name));
    }
    if (!make_kids(r, out, COND_ANY, yyjson_arr_size(n.v)))
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_test(r, read_node_element(r, n, v), path, &out->kids[out->nkids++]);
    unwrap(out);
}

static void read_presence(struct model_reader *r, struct model_node n, struct path path,
                          struct cond *out)
{
    bool yes = true, missing = str_is(n.name, "missing");
    (void)read_bool(r, n, &yes);
    *out = (struct cond){.op = yes != missing ? COND_EXISTS : COND_MISSING, .path = path};
}

static void read_limit(struct model_reader *r, struct model_node n, struct cond *out)
{
    if (!yyjson_is_str(n.v) && !yyjson_is_raw(n.v)) {
        read_wrong_type(r, n, "a string or a number");
    } else {
        (void)read_literal(r, n, &out->value);
    }
}

static void read_named(struct model_reader *r, struct model_node n, struct path path,
                       struct cond *out)
{
    static const struct choice OPS[] = {
        {"=", COND_EQ},  {"<", COND_LT},          {"<=", COND_LE},           {">", COND_GT},
        {">=", COND_GE}, {"exists", COND_EXISTS}, {"missing", COND_MISSING}, {"not", COND_NOT}};
    size_t i = 0;
    while (i < NRULES(OPS) && !str_is(n.name, OPS[i].name))
        i++;
    if (i == NRULES(OPS)) {
        problems_add(r->problems, read_place(r, n.key),
                     "unknown test %s\nhint: use one of =, <, <=, >, >=, exists, missing, not",
                     read_show(r, n.name));
        return;
    }
    *out = (struct cond){.op = (enum cond_op)OPS[i].value, .path = path};
    if (out->op == COND_EXISTS || out->op == COND_MISSING) {
        read_presence(r, n, path, out);
    } else if (out->op == COND_NOT) {
        if (make_kids(r, out, COND_NOT, 1))
            read_test(r, n, path, &out->kids[out->nkids++]);
    } else if (out->op == COND_EQ) {
        (void)read_literal(r, n, &out->value);
    } else {
        read_limit(r, n, out);
    }
}

static void read_named_tests(struct model_reader *r, struct model_node n, struct path path,
                             struct cond *out)
{
    yyjson_obj_iter it;
    if (!read_is_object(r, n))
        return;
    if (yyjson_obj_size(n.v) == 0) {
        problems_add(r->problems, read_place(r, n.at),
                     "the test of %s is empty\nhint: {\"exists\": true} is true of any value",
                     read_show(r, n.name));
    }
    if (!make_kids(r, out, COND_ALL, yyjson_obj_size(n.v)))
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node one = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        read_named(r, one, path, &out->kids[out->nkids++]);
    }
    unwrap(out);
}

static void read_test(struct model_reader *r, struct model_node n, struct path path,
                      struct cond *out)
{
    if (yyjson_is_arr(n.v)) {
        read_any_of(r, n, path, out);
    } else if (yyjson_is_obj(n.v)) {
        read_named_tests(r, n, path, out);
    } else {
        read_value(r, n, path, out);
    }
}

/* Reads "all": [..] or {..}; "any": [..]; "not": {..}. */
static void read_group(struct model_reader *r, struct model_node n, enum cond_op op,
                       struct cond *out)
{
    yyjson_arr_iter it;
    if (op == COND_NOT || (op == COND_ALL && yyjson_is_obj(n.v))) {
        if (make_kids(r, out, op, 1))
            read_into(r, n, &out->kids[out->nkids++]);
        unwrap(out);
        return;
    }
    if (!yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a list of conditions");
        return;
    }
    if (yyjson_arr_size(n.v) == 0) {
        problems_add(r->problems, read_place(r, n.at), "%s is an empty list",
                     read_show(r, n.name));
    }
    if (!make_kids(r, out, op, yyjson_arr_size(n.v)))
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_into(r, read_node_element(r, n, v), &out->kids[out->nkids++]);
    unwrap(out);
}

static void read_term(struct model_reader *r, struct model_node n, struct cond *out)
{
    static const struct choice GROUPS[] = {
        {"all", COND_ALL}, {"any", COND_ANY}, {"not", COND_NOT}};
    struct path path = {0};
    for (size_t i = 0; i < NRULES(GROUPS); i++) {
        if (str_is(n.name, GROUPS[i].name)) {
            read_group(r, n, (enum cond_op)GROUPS[i].value, out);
            return;
        }
    }
    if (read_key_is_path(r, n, &path))
        read_test(r, n, path, out);
}

static void read_into(struct model_reader *r, struct model_node n, struct cond *out)
{
    yyjson_obj_iter it;
    if (!read_is_object(r, n) || !make_kids(r, out, COND_ALL, yyjson_obj_size(n.v)))
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node one = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        read_term(r, one, &out->kids[out->nkids++]);
    }
    unwrap(out);
}

void read_cond(struct model_reader *r, struct model_node n, void *target)
{
    struct cond *c = read_array(r, 1, sizeof *c);
    if (!c)
        return;
    read_into(r, n, c);
    *(struct cond **)target = c;
}
