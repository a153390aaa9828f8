/* SPDX-License-Identifier: MIT */
/* Stages: a list of objects, each with the one member that names the stage and is its spec. */
#include "pipeline/model/read/reader.h"

/* Finds the stage that a member names. False (noted) if it is not clear which one is meant; a
   name that no stage has is left to the reading of the members. */
static bool find_stage(struct model_reader *r, struct model_node n, struct stage_spec *s)
{
    yyjson_obj_iter it;
    unsigned found = 0;
    yyjson_obj_iter_init(n.v, &it);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&it));) {
        struct str name = str_make(key->uni.str, yyjson_get_len(key));
        for (const struct stage *const *row = r->stages; *row; row++) {
            if (str_is(name, (*row)->name)) {
                s->stage = *row;
                found++;
            }
        }
    }
    if (found > 1) {
        s->stage = NULL;
        problems_add(r->problems, s->place,
                     "a stage has one name, this one has %u\nhint: write one object for each",
                     found);
    } else if (yyjson_obj_size(n.v) == 0) {
        problems_add(r->problems, s->place, "an empty stage\nhint: {\"flatten\": \"Address\"}");
    }
    return found <= 1 && yyjson_obj_size(n.v) > 0;
}

/* Refuses a member that may only stand beside the name of another stage. */
static void read_misplaced(struct model_reader *r, struct model_node n, void *target)
{
    size_t before = r->problems->count;
    const struct stage *const *row = r->stages;
    (void)target;
    while (!(*row)->beside || !str_is(n.name, (*row)->beside->name))
        row++;
    const struct rule *beside = (*row)->beside;
    char *unused = read_array(r, 1, (*row)->spec_size);
    if (!unused)
        return;
    beside->read(r, n, unused + beside->offset);
    if (r->problems->count == before) {
        problems_add(r->problems, read_place(r, n.at), "\"%s\" belongs to a %s", beside->name,
                     (*row)->name);
    }
}

static size_t count_stages(const struct model_reader *r)
{
    size_t n = 0;
    while (r->stages[n])
        n++;
    return n;
}

static void read_members(struct model_reader *r, struct model_node n, struct stage_spec *s)
{
    size_t nstages = count_stages(r), nrules = 0;
    struct rule *rules = read_array(r, 2 * nstages, sizeof *rules);
    void *spec = read_array(r, 1, s->stage ? s->stage->spec_size : 1);
    if (!rules || !spec)
        return;
    for (size_t i = 0; i < nstages; i++)
        rules[nrules++] = (struct rule){r->stages[i]->name, r->stages[i]->read, 0, false};
    for (size_t i = 0; i < nstages; i++) {
        const struct rule *beside = r->stages[i]->beside;
        if (beside && r->stages[i] == s->stage) {
            rules[nrules++] = *beside;
        } else if (beside) {
            rules[nrules++] = (struct rule){beside->name, read_misplaced, 0, false};
        }
    }
    read_object(r, n, rules, nrules, spec);
    s->spec = spec;
}

static void read_stage(struct model_reader *r, struct model_node n, struct stage_spec *s)
{
    *s = (struct stage_spec){.place = read_place(r, n.at)};
    if (!yyjson_is_obj(n.v)) {
        n.name = STR("stage");
        read_wrong_type(r, n, "an object such as {\"flatten\": \"Address\"}");
        return;
    }
    if (find_stage(r, n, s))
        read_members(r, n, s);
}

void read_stages(struct model_reader *r, struct model_node n, void *target)
{
    struct stages_spec *stages = target;
    yyjson_arr_iter it;
    if (!yyjson_is_arr(n.v)) {
        read_wrong_type(r, n, "a list of stages");
        return;
    }
    *stages = (struct stages_spec){.v = read_array(r, yyjson_arr_size(n.v), sizeof *stages->v)};
    if (!stages->v)
        return;
    yyjson_arr_iter_init(n.v, &it);
    for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));)
        read_stage(r, read_node_element(r, n, v), &stages->v[stages->n++]);
}
