/* SPDX-License-Identifier: MIT */
/* The members of a map become attributes of the item, named by their path, to a depth, or as deep as
   columns ask. */
#include "pipeline/stage/stage.h"

struct flatten_spec {
    struct path from;
    uint32_t depth; /* 0: as deep as columns ask */
    enum decoder_parse parse;
    unsigned lossy;
};

static void read_depth(struct model_reader *r, struct model_node n, void *target)
{
    unsigned long long depth = 0;
    if (!yyjson_is_raw(n.v) || !str_uint(read_node_str(n), &depth) || depth < 1 || depth > 32) {
        problems_add(r->problems, read_place(r, n.at),
                     "\"depth\" must be a whole number from 1 to 32");
    } else {
        *(uint32_t *)target = (uint32_t)depth;
    }
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_path, offsetof(struct flatten_spec, from), true},
        {"depth", read_depth, offsetof(struct flatten_spec, depth), false},
        {"parse", read_parse, offsetof(struct flatten_spec, parse), false},
        {"lossy", read_parse_lossy, offsetof(struct flatten_spec, lossy), false}};
    read_object_or_first(r, n, RULES, NRULES(RULES), target);
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct flatten_spec *spec = stage->spec;
    struct binding *b = scope_attribute(s, &spec->from, stage->place);
    if (!b || !b->node)
        return;
    b->node->flatten = spec->depth ? spec->depth : FLATTEN_ALL;
    b->node->shown = b->path;
    if (spec->parse == DECODER_TEXT)
        return;
    struct sources from = {&b->slot, 1, 1};
    struct parse_rule rule = {
        .form = spec->parse, .keep = spec->lossy & LOSSY_PARSE, .note = NOTE_NONE};
    scope_parse(s, &from, &spec->from, &rule, stage->place);
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct flatten_spec *flatten = spec;
    buf_puts(x->out, ": ");
    path_print(&flatten->from, x->out);
    if (flatten->parse != DECODER_TEXT)
        buf_puts(x->out, ", parsed");
}

const struct stage stage_flatten = {.name = "flatten",
                                    .spec_size = sizeof(struct flatten_spec),
                                    .read = read_spec,
                                    .plan = plan,
                                    .explain = explain};
