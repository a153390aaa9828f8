/* SPDX-License-Identifier: MIT */
/* Keeps a subtree, or all that is left, whole in a jsonb column. */
#include "pipeline/stage/stage.h"

struct document_spec {
    struct path from; /* n == 0: all that is left */
    struct str into;  /* a jsonb column; default: snake(from) */
};

/* "*" is all that is left. */
static void read_from(struct model_reader *r, struct model_node n, void *target)
{
    if (!yyjson_is_str(n.v) || !str_is(read_node_str(n), "*"))
        read_path(r, n, target);
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"from", read_from, offsetof(struct document_spec, from), true},
        {"into", read_name, offsetof(struct document_spec, into), false}};
    struct document_spec *spec = target;
    read_object_or_first(r, n, RULES, NRULES(RULES), spec);
    if (spec->into.n)
        return;
    if (spec->from.n) {
        spec->into = name_snake(r->a, &spec->from);
    } else {
        problems_add(r->problems, read_place(r, n.at),
                     "a document of all that is left needs a column\nhint: {\"document\": "
                     "{\"from\": \"*\", \"into\": \"rest\"}}");
    }
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct document_spec *spec = stage->spec;
    scope_declare(s, &(struct column_spec){.name = spec->into,
                                           .place = stage->place,
                                           .cast = {.type = COL_JSONB, .lossy = LOSSY_JSON}});
    if (spec->from.n == 0) {
        s->rest_document = scope_path_one(s->planner, spec->into);
        return;
    }
    struct binding *b = scope_attribute(s, &spec->from, stage->place);
    if (!b)
        return;
    b->path = scope_path_one(s->planner, spec->into);
    if (b->node)
        b->node->gone = true;
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct document_spec *document = spec;
    buf_puts(x->out, ": ");
    if (document->from.n) {
        path_print(&document->from, x->out);
    } else {
        buf_puts(x->out, "all that is left");
    }
    buf_addf(x->out, " as %.*s", STR_FMT(document->into));
}

const struct stage stage_document = {.name = "document",
                                     .spec_size = sizeof(struct document_spec),
                                     .read = read_spec,
                                     .plan = plan,
                                     .explain = explain};
