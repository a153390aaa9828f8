/* SPDX-License-Identifier: MIT */
/* Templates: those that print, and those of keys, alone or in forms that are tried in order. */
#include "pipeline/model/read/reader.h"

static bool template_problem(struct model_reader *r, struct model_node n, size_t at,
                             const struct err *err)
{
    if (err->rc == RC_NOMEM) {
        r->nomem = true;
    } else {
        problems_add(r->problems, read_place(r, read_inside(r, n, at)), "template %s: %s",
                     read_show(r, read_node_str(n)), err->msg);
    }
    return false;
}

/* Expressions name attributes by paths. */
static bool good_paths(struct model_reader *r, struct model_node n, const struct template *t)
{
    struct path path;
    bool good = true;
    for (uint32_t i = 0; i < t->n; i++) {
        struct model_node at = n;
        at.at = read_inside(r, n, t->pieces[i].at) - (t->pieces[i].literal ? 0 : 1) + 1;
        if (!t->pieces[i].literal)
            good = read_path_text(r, at, t->pieces[i].text, &path) && good;
    }
    return good;
}

bool read_template(struct model_reader *r, struct model_node n, struct template *out)
{
    struct err err = {0};
    struct str s = {0};
    size_t at = 0;
    if (!read_string(r, n, &s))
        return false;
    if (template_parse(s, r->a, out, &at, &err))
        return template_problem(r, n, at, &err);
    for (uint32_t i = 0; i < out->n; i++) {
        if (out->pieces[i].separators != SEPARATORS_UNSAID) {
            (void)err_set(&err, RC_USAGE, "only parts of a key may forbid or allow separators");
            return template_problem(r, n, out->pieces[i].at, &err);
        }
    }
    return good_paths(r, n, out);
}

static void read_key(struct model_reader *r, struct model_node n, void *target)
{
    struct key_spec *out = target;
    struct err err = {0};
    struct str s = {0};
    size_t at = 0;
    *out = (struct key_spec){.attribute = n.name, .place = read_place(r, n.key)};
    if (!read_key_is_name(r, n) || !read_string(r, n, &s))
        return;
    if (template_parse(s, r->a, &out->tpl, &at, &err) ||
        template_check_key(&out->tpl, &at, &err))
        (void)template_problem(r, n, at, &err);
    if (r->no_sep)
        template_forbid_separators(&out->tpl);
}

static bool same_form(const struct keys_spec *a, const struct keys_spec *b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) {
        uint32_t k = 0;
        while (k < b->n && !str_eq(a->v[i].attribute, b->v[k].attribute))
            k++;
        same = k < b->n && str_eq(a->v[i].tpl.text, b->v[k].tpl.text);
    }
    return same;
}

/* Appends a form, unless there is something wrong with it as a whole. */
static void add_form(struct model_reader *r, struct model_node n, struct keys_spec *keys,
                     struct keys_spec *forms)
{
    struct keys_spec *one = &forms[keys->nforms];
    one->v = read_each(r, n, sizeof *one->v, read_key, &one->n);
    if (one->v && one->n == 0) {
        problems_add(r->problems, read_place(r, n.at),
                     "an empty form of \"keys\"\nhint: {\"PK\": \"CUSTOMER#{customer_id}\"}");
    }
    for (uint32_t i = 0; i < keys->nforms; i++) {
        if (one->n && same_form(one, &forms[i])) {
            problems_add(r->problems, read_place(r, n.at),
                         "form %u of \"keys\" is form %u once more\nhint: leave it out",
                         keys->nforms + 1, i + 1);
        }
    }
    keys->n += one->n;
    keys->nforms++;
}

static void read_forms(struct model_reader *r, struct model_node n, struct keys_spec *keys)
{
    struct keys_spec *forms = read_array(r, yyjson_arr_size(n.v), sizeof *forms);
    yyjson_arr_iter it;
    if (forms && yyjson_arr_size(n.v) == 0) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"keys\" is an empty list\nhint: [{\"PK\": \"USER#{user_id}\"}, "
                     "{\"PK\": \"u#{user_id}\"}]");
    }
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; forms && (v = yyjson_arr_iter_next(&it));)
        add_form(r, read_node_element(r, n, v), keys, forms);
    keys->v = read_array(r, keys->n, sizeof *keys->v);
    uint32_t at = 0;
    for (uint32_t f = 0; forms && keys->v && f < keys->nforms; f++) {
        for (uint32_t i = 0; i < forms[f].n; i++) {
            keys->v[at] = forms[f].v[i];
            keys->v[at++].form = f;
        }
    }
}

void read_keys(struct model_reader *r, struct model_node n, void *target)
{
    struct keys_spec *keys = target;
    *keys = (struct keys_spec){0};
    if (yyjson_is_arr(n.v)) {
        read_forms(r, n, keys);
        return;
    }
    if (!yyjson_is_obj(n.v)) {
        read_wrong_type(r, n,
                        "an object such as {\"PK\": \"USER#{user_id}\"}, or a list of them");
        return;
    }
    keys->v = read_each(r, n, sizeof *keys->v, read_key, &keys->n);
    keys->nforms = 1;
}

void read_no_sep(struct model_reader *r, yyjson_val *object)
{
    yyjson_obj_iter it;
    if (!yyjson_is_obj(object))
        return;
    yyjson_obj_iter_init(object, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node n = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        if (str_is(n.name, "no_sep"))
            (void)read_bool(r, n, &r->no_sep);
    }
}

void read_nothing(struct model_reader *r, struct model_node n, void *target)
{
    (void)r;
    (void)n;
    (void)target;
}
