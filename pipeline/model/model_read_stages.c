/* SPDX-License-Identifier: MIT */
/* Stages: a list of objects, each with the one member that names the stage. */
#include "pipeline/model/model_reader.h"

static void read_strip(struct reader *r, struct node n, void *target)
{
    read_names(r, n, &((struct stage_spec *)target)->u.globs);
}

static void read_stage_keys(struct reader *r, struct node n, void *target)
{
    read_keys(r, n, &((struct stage_spec *)target)->u.keys);
}

static void read_pick(struct reader *r, struct node n, void *target)
{
    struct stage_spec *s = target;
    (void)read_paths(r, n, &s->u.paths.v, &s->u.paths.n);
}

static void read_pair(struct reader *r, struct node n, enum stage_kind kind,
                      struct pair_spec *p)
{
    *p = (struct pair_spec){.place = reader_place(r, n.key)};
    (void)key_is_path(r, n, &p->path);
    if (kind == STAGE_RENAME) {
        read_name(r, n, &p->name);
    } else if (kind == STAGE_DEFAULT) {
        (void)read_literal(r, n, &p->value);
    } else {
        (void)read_template(r, n, &p->tpl);
    }
}

static void read_pairs(struct reader *r, struct node n, void *target)
{
    struct stage_spec *s = target;
    yyjson_obj_iter it;
    if (!reader_is_object(r, n))
        return;
    s->u.pairs.v = reader_array(r, yyjson_obj_size(n.v), sizeof *s->u.pairs.v);
    if (!s->u.pairs.v)
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct node one = node_member(r, key, yyjson_obj_iter_get_val(key));
        read_pair(r, one, s->kind, &s->u.pairs.v[s->u.pairs.n++]);
    }
}

static void read_depth(struct reader *r, struct node n, void *target)
{
    unsigned long long depth = 0;
    if (!yyjson_is_raw(n.v) || !str_uint(node_str(n), &depth) || depth < 1 || depth > 32) {
        problems_add(r->problems, reader_place(r, n.at),
                     "\"depth\" must be a whole number from 1 to 32");
    } else {
        *(uint32_t *)target = (uint32_t)depth;
    }
}

static void read_flatten(struct reader *r, struct node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_path, offsetof(struct stage_spec, u.flatten.from), true},
        {"depth", read_depth, offsetof(struct stage_spec, u.flatten.depth), false}};
    struct stage_spec *s = target;
    s->u.flatten.depth = 1;
    if (yyjson_is_obj(n.v)) {
        reader_object(r, n, RULES, NRULES(RULES), s);
    } else {
        read_path(r, n, &s->u.flatten.from);
    }
}

static void read_explode(struct reader *r, struct node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_path, offsetof(struct explode_spec, from), true},
        {"into", read_name, offsetof(struct explode_spec, into), true},
        {"ordinal", read_name, offsetof(struct explode_spec, ordinal), false},
        {"columns", read_columns, offsetof(struct explode_spec, columns), false},
        {"stages", read_stages, offsetof(struct explode_spec, stages), false},
        {"rest", read_rest, offsetof(struct explode_spec, rest), false}};
    struct explode_spec *e = reader_array(r, 1, sizeof *e);
    ((struct stage_spec *)target)->u.explode = e;
    if (e)
        reader_object(r, n, RULES, NRULES(RULES), e);
}

static void read_stage_extract(struct reader *r, struct node n, void *target)
{
    struct extract_spec *e = reader_array(r, 1, sizeof *e);
    ((struct stage_spec *)target)->u.extract = e;
    if (e)
        read_extract(r, n, e);
}

static void read_link(struct reader *r, struct node n, void *target)
{
    struct link_spec *link = &((struct stage_spec *)target)->u.link;
    yyjson_obj_iter it;
    if (!reader_is_object(r, n))
        return;
    link->v = reader_array(r, yyjson_obj_size(n.v), sizeof *link->v);
    if (!link->v)
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct node one = node_member(r, key, yyjson_obj_iter_get_val(key));
        if (str_is(one.name, "symmetric") && yyjson_is_bool(one.v)) {
            link->symmetric = yyjson_is_true(one.v);
            continue;
        }
        struct reference_spec *ref = &link->v[link->n++];
        *ref = (struct reference_spec){.place = reader_place(r, one.at)};
        ref->columns.v = reader_array(r, 1, sizeof *ref->columns.v);
        if (!ref->columns.v || !key_is_name(r, one))
            continue;
        ref->columns.v[ref->columns.n++] = one.name;
        read_name(r, one, &ref->to);
    }
    if (link->n < 2) {
        problems_add(r->problems, reader_place(r, n.at),
                     "a link needs two columns or more, each with its table\nhint: "
                     "{\"link\": {\"movie_id\": \"movie\", \"actor_id\": \"actor\"}}");
    }
}

static void read_symmetric(struct reader *r, struct node n, void *target)
{
    struct stage_spec *s = target;
    bool yes = false;
    if (!read_bool(r, n, &yes))
        return;
    if (s->kind == STAGE_LINK) {
        s->u.link.symmetric = yes;
    } else {
        problems_add(r->problems, reader_place(r, n.at), "\"symmetric\" belongs to a link");
    }
}

static void read_filter(struct reader *r, struct node n, void *target)
{
    struct stage_spec *s = target;
    yyjson_val *drop =
        yyjson_is_obj(n.v) && yyjson_obj_size(n.v) == 1 ? yyjson_obj_get(n.v, "drop") : NULL;
    s->u.filter.drop = yyjson_is_obj(drop);
    if (s->u.filter.drop)
        n = node_member(r, unsafe_yyjson_get_first(n.v), drop);
    read_cond(r, n, &s->u.filter.keep);
}

static void read_method(struct reader *r, struct node n, void *target)
{
    static const struct choice METHODS[] = {{"hmac", MASK_HMAC}, {"blank", MASK_BLANK}};
    int v = 0;
    if (reader_choice(r, n, METHODS, NRULES(METHODS), &v))
        *(enum mask_method *)target = (enum mask_method)v;
}

static void read_fields(struct reader *r, struct node n, void *target)
{
    struct stage_spec *s = target;
    (void)read_paths(r, n, &s->u.mask.v, &s->u.mask.n);
}

static void read_mask(struct reader *r, struct node n, void *target)
{
    static const struct rule RULES[] = {
        {"fields", read_fields, 0, true},
        {"method", read_method, offsetof(struct stage_spec, u.mask.method), false}};
    if (yyjson_is_obj(n.v)) {
        reader_object(r, n, RULES, NRULES(RULES), target);
    } else {
        read_fields(r, n, target);
    }
}

/* "*" is all that is left. */
static void read_document_from(struct reader *r, struct node n, void *target)
{
    struct path *from = target;
    if (!yyjson_is_str(n.v) || !str_is(node_str(n), "*"))
        read_path(r, n, from);
}

static void read_document(struct reader *r, struct node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_document_from, offsetof(struct stage_spec, u.document.from), true},
        {"into", read_name, offsetof(struct stage_spec, u.document.into), false}};
    struct stage_spec *s = target;
    if (yyjson_is_obj(n.v)) {
        reader_object(r, n, RULES, NRULES(RULES), s);
    } else {
        read_document_from(r, n, &s->u.document.from);
    }
    if (s->u.document.into.n)
        return;
    if (s->u.document.from.n) {
        s->u.document.into = name_snake(r->a, &s->u.document.from);
    } else {
        problems_add(r->problems, reader_place(r, n.at),
                     "a document of all that is left needs a column\nhint: {\"document\": "
                     "{\"from\": \"*\", \"into\": \"rest\"}}");
    }
}

static const struct rule STAGES[] = {
    [STAGE_KEYS] = {"keys", read_stage_keys, 0, false},
    [STAGE_STRIP] = {"strip", read_strip, 0, false},
    [STAGE_PICK] = {"pick", read_pick, 0, false},
    [STAGE_DROP] = {"drop", read_pick, 0, false},
    [STAGE_RENAME] = {"rename", read_pairs, 0, false},
    [STAGE_DEFAULT] = {"default", read_pairs, 0, false},
    [STAGE_FLATTEN] = {"flatten", read_flatten, 0, false},
    [STAGE_EXPLODE] = {"explode", read_explode, 0, false},
    [STAGE_EXTRACT] = {"extract", read_stage_extract, 0, false},
    [STAGE_LINK] = {"link", read_link, 0, false},
    [STAGE_DERIVE] = {"derive", read_pairs, 0, false},
    [STAGE_FILTER] = {"filter", read_filter, 0, false},
    [STAGE_MASK] = {"mask", read_mask, 0, false},
    [STAGE_DOCUMENT] = {"document", read_document, 0, false},
    [STAGE_KINDS] = {"symmetric", read_symmetric, 0, false}};

/* The kind must be known before the members are read. False (noted) if it is not clear. */
static bool find_kind(struct reader *r, struct node n, struct stage_spec *s)
{
    yyjson_obj_iter it;
    unsigned found = 0;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct str name = str_make(key->uni.str, yyjson_get_len(key));
        for (unsigned kind = 0; kind < STAGE_KINDS; kind++) {
            if (str_is(name, STAGES[kind].name)) {
                s->kind = (enum stage_kind)kind;
                found++;
            }
        }
    }
    if (found > 1) {
        problems_add(r->problems, s->place,
                     "a stage has one name, this one has %u\nhint: write one object for each",
                     found);
    } else if (found == 0 && yyjson_obj_size(n.v) == 0) {
        problems_add(r->problems, s->place, "an empty stage\nhint: {\"flatten\": \"Address\"}");
    }
    return found == 1 || (found == 0 && yyjson_obj_size(n.v) > 0);
}

static void read_stage(struct reader *r, struct node n, struct stage_spec *s)
{
    *s = (struct stage_spec){.place = reader_place(r, n.at)};
    if (!yyjson_is_obj(n.v)) {
        n.name = STR("stage");
        reader_wrong_type(r, n, "an object such as {\"flatten\": \"Address\"}");
        return;
    }
    if (find_kind(r, n, s))
        reader_object(r, n, STAGES, NRULES(STAGES), s);
}

void read_stages(struct reader *r, struct node n, void *target)
{
    struct stages_spec *stages = target;
    yyjson_arr_iter it;
    if (!yyjson_is_arr(n.v)) {
        reader_wrong_type(r, n, "a list of stages");
        return;
    }
    *stages =
        (struct stages_spec){.v = reader_array(r, yyjson_arr_size(n.v), sizeof *stages->v)};
    if (!stages->v)
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_stage(r, node_element(r, n, v), &stages->v[stages->n++]);
}
