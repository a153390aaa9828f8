/* SPDX-License-Identifier: MIT */
/*
 * A relationship item: its key is the columns that refer to its sides. It is noted for the
 * planner, which makes keys and references once all tables are known. In the model a column and
 * its table stand for each end, and "symmetric" inside or beside them:
 *
 *     { "link": { "movie_id": "movie", "actor_id": "person" }, "symmetric": true }
 */
#include "pipeline/stage/stage.h"

static void read_end(struct model_reader *r, struct model_node n, struct reference_spec *end)
{
    *end = (struct reference_spec){.place = read_place(r, n.at)};
    end->columns.v = read_array(r, 1, sizeof *end->columns.v);
    if (!end->columns.v || !read_key_is_name(r, n))
        return;
    end->columns.v[end->columns.n++] = n.name;
    read_name(r, n, &end->to);
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    struct relationship *link = target;
    yyjson_obj_iter it;
    if (!read_is_object(r, n))
        return;
    link->v = read_array(r, yyjson_obj_size(n.v), sizeof *link->v);
    if (!link->v)
        return;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct model_node one = read_node_member(r, key, yyjson_obj_iter_get_val(key));
        if (str_is(one.name, "symmetric") && yyjson_is_bool(one.v)) {
            link->symmetric = yyjson_is_true(one.v);
        } else {
            read_end(r, one, &link->v[link->n++]);
        }
    }
    if (link->n < 2) {
        problems_add(r->problems, read_place(r, n.at),
                     "a link needs two columns or more, each with its table\nhint: "
                     "{\"link\": {\"movie_id\": \"movie\", \"actor_id\": \"actor\"}}");
    }
}

static void tables(const struct stage_spec *stage, struct read_tables *t)
{
    const struct relationship *link = stage->spec;
    for (uint32_t i = 0; i < link->n; i++)
        read_table_named(t, &link->v[i]);
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct relationship *link = stage->spec;
    if (s->link) {
        problems_add(s->planner->problems, stage->place,
                     "a second \"link\" in one entity\n"
                     "hint: name all sides in one link");
    }
    if (link->symmetric && link->n != 2) {
        problems_add(s->planner->problems, stage->place,
                     "a symmetric link needs two columns, not %u", link->n);
    }
    s->link = link;
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct relationship *link = spec;
    for (uint32_t i = 0; i < link->n; i++) {
        const struct reference_spec *end = &link->v[i];
        for (uint32_t k = 0; k < end->columns.n; k++)
            buf_addf(x->out, "%s%.*s", i || k ? ", " : ": ", STR_FMT(end->columns.v[k]));
        buf_addf(x->out, " to %.*s", STR_FMT(end->to));
    }
}

static const struct rule BESIDE = {"symmetric", read_flag,
                                   offsetof(struct relationship, symmetric), false};

const struct stage stage_link = {.name = "link",
                                 .spec_size = sizeof(struct relationship),
                                 .read = read_spec,
                                 .beside = &BESIDE,
                                 .plan = plan,
                                 .explain = explain,
                                 .tables = tables};
