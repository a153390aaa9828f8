/* SPDX-License-Identifier: MIT */
/* The small values that many members share: names, paths, words, literals. */
#include "pipeline/item/decimal.h"
#include "pipeline/model/read/reader.h"

static void problem_at(struct model_reader *r, struct model_node n, const char *what)
{
    problems_add(r->problems, read_place(r, n.at), "%s %s", read_show(r, n.name), what);
}

bool read_string(struct model_reader *r, struct model_node n, struct str *out)
{
    if (!yyjson_is_str(n.v)) {
        read_wrong_type(r, n, "a string");
        return false;
    }
    *out = read_node_str(n);
    return true;
}

bool read_bool(struct model_reader *r, struct model_node n, bool *out)
{
    if (!yyjson_is_bool(n.v)) {
        read_wrong_type(r, n, "true or false");
        return false;
    }
    *out = yyjson_is_true(n.v);
    return true;
}

void read_flag(struct model_reader *r, struct model_node n, void *target)
{
    (void)read_bool(r, n, target);
}

static bool good_name(struct model_reader *r, struct model_node n, struct str s)
{
    if (n.name.n == 0) {
        problems_add(r->problems, read_place(r, n.at), "a name cannot be empty");
    } else if (s.n == 0) {
        problem_at(r, n, "is empty\nhint: give it a name");
    } else if (memchr(s.p, '\0', s.n)) {
        problem_at(r, n, "holds a NUL byte, which no name can");
    } else {
        return true;
    }
    return false;
}

bool read_key_is_name(struct model_reader *r, struct model_node n)
{
    n.at = n.key;
    return good_name(r, n, n.name);
}

void read_name(struct model_reader *r, struct model_node n, void *target)
{
    struct str s = {0};
    if (read_string(r, n, &s) && good_name(r, n, s))
        *(struct str *)target = s;
}

static void add_text(struct model_reader *r, struct model_node n, struct str s,
                     struct names *names)
{
    for (uint32_t i = 0; i < names->n; i++) {
        if (str_eq(names->v[i], s)) {
            problems_add(r->problems, read_place(r, n.at), "%s stands twice in %s",
                         read_show(r, s), read_show(r, n.name));
            return;
        }
    }
    names->v[names->n++] = s;
}

static void add_name(struct model_reader *r, struct model_node n, struct names *names)
{
    struct str s = {0};
    if (read_string(r, n, &s) && good_name(r, n, s))
        add_text(r, n, s, names);
}

void read_names(struct model_reader *r, struct model_node n, void *target)
{
    struct names *names = target;
    if (!yyjson_is_str(n.v) && !yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a name or a list of names");
        return;
    }
    bool one = yyjson_is_str(n.v);
    if (!one && yyjson_arr_size(n.v) == 0)
        problem_at(r, n, "is an empty list");
    *names =
        (struct names){.v = read_array(r, one ? 1 : yyjson_arr_size(n.v), sizeof *names->v)};
    if (!names->v)
        return;
    if (one) {
        add_name(r, n, names);
        return;
    }
    yyjson_arr_iter it;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        add_name(r, read_node_element(r, n, v), names);
}

void read_texts(struct model_reader *r, struct model_node n, void *target)
{
    bool one = yyjson_is_str(n.v);
    if (!one && !yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a text or a list of texts");
        return;
    }
    struct names *texts = read_array(r, 1, sizeof *texts);
    size_t max = one ? 1 : yyjson_arr_size(n.v);
    if (!texts)
        return;
    *texts = (struct names){.v = read_array(r, max + 1, sizeof *texts->v)};
    struct str s = {0};
    if (texts->v && one && read_string(r, n, &s))
        add_text(r, n, s, texts);
    yyjson_arr_iter it;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; texts->v && !one && (v = yyjson_arr_iter_next(&it));) {
        struct model_node e = read_node_element(r, n, v);
        if (read_string(r, e, &s))
            add_text(r, e, s, texts);
    }
    *(const struct names **)target = texts;
}

bool read_path_text(struct model_reader *r, struct model_node n, struct str text,
                    struct path *out)
{
    enum rc rc = path_parse(text, r->a, out);
    if (rc == RC_NOMEM)
        r->nomem = true;
    if (rc == RC_USAGE) {
        problems_add(r->problems, read_place(r, n.at),
                     "%s is no path\nhint: write \"Name\" or \"Map.member\"; a backslash "
                     "quotes a dot in a name",
                     read_show(r, text));
    }
    if (rc)
        *out = (struct path){0};
    return !rc;
}

bool read_key_is_path(struct model_reader *r, struct model_node n, struct path *out)
{
    n.at = n.key;
    return read_path_text(r, n, n.name, out);
}

static void list_path(struct model_reader *r, struct model_node n, struct path *out)
{
    yyjson_arr_iter it;
    if (yyjson_arr_size(n.v) == 0) {
        problem_at(r, n, "is an empty path");
        return;
    }
    out->members = read_array(r, yyjson_arr_size(n.v), sizeof *out->members);
    if (!out->members)
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));) {
        struct model_node one = read_node_element(r, n, v);
        struct str s = {0};
        if (read_string(r, one, &s) && good_name(r, one, s))
            out->members[out->n++] = s;
    }
}

void read_path(struct model_reader *r, struct model_node n, void *target)
{
    struct path *out = target;
    *out = (struct path){0};
    if (yyjson_is_str(n.v)) {
        (void)read_path_text(r, n, read_node_str(n), out);
    } else if (yyjson_is_arr(n.v)) {
        list_path(r, n, out);
    } else {
        read_wrong_type(r, n, "a path such as \"A.b\" or [\"A\", \"b\"]");
    }
}

void read_paths(struct model_reader *r, struct model_node n, void *target)
{
    struct paths *out = target;
    bool one = yyjson_is_str(n.v);
    yyjson_arr_iter it;
    out->n = 0;
    if (!one && !yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a list of attributes");
        return;
    }
    if (!one && yyjson_arr_size(n.v) == 0)
        problem_at(r, n, "is an empty list");
    out->v = read_array(r, one ? 1 : yyjson_arr_size(n.v), sizeof *out->v);
    if (!out->v)
        return;
    if (one) {
        read_path(r, n, out->v);
        out->n = out->v->n > 0;
        return;
    }
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));) {
        read_path(r, read_node_element(r, n, v), &out->v[out->n]);
        out->n += out->v[out->n].n > 0;
    }
}

bool read_choice(struct model_reader *r, struct model_node n, const struct choice *choices,
                 size_t nc, int *out)
{
    const char *names[16];
    struct str s = {0};
    struct buf list;
    if (!read_string(r, n, &s))
        return false;
    buf_init(&list, BUF_NO_LIMIT);
    for (size_t i = 0; i < nc; i++) {
        if (str_is(s, choices[i].name)) {
            *out = choices[i].value;
            buf_release(&list);
            return true;
        }
        names[i] = choices[i].name;
        buf_addf(&list, "%s\"%s\"", i == 0 ? "" : i + 1 == nc ? " or " : ", ", names[i]);
    }
    const char *near = name_nearest(s, names, nc);
    problems_add(r->problems, read_place(r, n.at), "%s cannot be %s\nhint: %s%s%s%s",
                 read_show(r, n.name), read_show(r, s), near ? "did you mean \"" : "use ",
                 near ? near : buf_cstr(&list), near ? "\"? it takes " : "",
                 near ? buf_cstr(&list) : "");
    buf_release(&list);
    return false;
}

void read_rest(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice REST[] = {
        {"extra", REST_EXTRA}, {"drop", REST_DROP}, {"reject", REST_REJECT}};
    int v = 0;
    if (read_choice(r, n, REST, NRULES(REST), &v))
        *(enum rest_rule *)target = (enum rest_rule)v;
}

void read_nulls(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice NULLS[] = {{"fold", NULLS_FOLD}, {"keep", NULLS_KEEP}};
    int v = 0;
    if (read_choice(r, n, NULLS, NRULES(NULLS), &v))
        *(enum nulls_rule *)target = (enum nulls_rule)v;
}

void read_prefer_any(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice PREFER[] = {
        {"attribute", PREFER_ATTRIBUTE}, {"part", PREFER_PART}, {"first", PREFER_FIRST}};
    int v = 0;
    if (read_choice(r, n, PREFER, NRULES(PREFER), &v))
        *(enum prefer_rule *)target = (enum prefer_rule)v;
}

void read_prefer(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice PREFER[] = {{"attribute", PREFER_ATTRIBUTE},
                                           {"part", PREFER_PART}};
    int v = 0;
    if (read_choice(r, n, PREFER, NRULES(PREFER), &v))
        *(enum prefer_rule *)target = (enum prefer_rule)v;
}

static bool number_literal(struct model_reader *r, struct model_node n, struct val *out)
{
    char *canonical = arena_alloc(r->a, DECIMAL_MAX);
    struct str text = read_node_str(n);
    size_t len = 0;
    bool same = false;
    if (!canonical) {
        r->nomem = true;
        return false;
    }
    if (decimal_canon(text, canonical, &len, &same) != DECIMAL_OK) {
        problems_add(r->problems, read_place(r, n.at),
                     "%.*s is no number DynamoDB could hold\nhint: 38 digits, from 1E-130 to "
                     "9.99E+125",
                     (int)(text.n > 80 ? 80 : text.n), text.p);
        return false;
    }
    *out = (struct val){.kind = VAL_N, .u.s = same ? text : str_make(canonical, len)};
    return true;
}

bool read_literal(struct model_reader *r, struct model_node n, struct val *out)
{
    if (yyjson_is_raw(n.v))
        return number_literal(r, n, out);
    if (yyjson_is_str(n.v)) {
        *out = (struct val){.kind = VAL_S, .u.s = read_node_str(n)};
    } else if (yyjson_is_bool(n.v)) {
        *out = (struct val){.kind = VAL_BOOL, .u.boolean = yyjson_is_true(n.v)};
    } else if (yyjson_is_null(n.v)) {
        *out = (struct val){.kind = VAL_NULL};
    } else {
        read_wrong_type(r, n, "a string, a number, true, false or null");
    }
    return out->kind != VAL_MISSING;
}
