/* SPDX-License-Identifier: MIT */
/*
 * A stage as the others see it: a name, a spec that only the stage looks into, and what can be
 * asked of the two. The model reader finds the row by the name, the planner calls `plan`, the
 * explain command calls `explain`. The rows themselves stand in pipeline/stage, above all of
 * these: they are handed to model_read, and are found through the specs from then on.
 */
#ifndef MODEL_STAGE_ROW_H
#define MODEL_STAGE_ROW_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cond;
struct model_node;
struct model_reader;
struct read_tables;
struct rule;
struct schema;
struct scope;
struct stage_spec;
struct transform_trace;

/* What `explain` is told and writes to. */
struct stage_explain {
    struct buf *out;
    const struct transform_trace *trace; /* of the item */
    const struct schema *schema;
};

struct stage {
    const char *name;
    size_t spec_size;

    /* Fills the spec, which is zeroed and lives as long as the model, from the member of the
       stage's name. Problems are noted; a spec with problems is never planned. */
    void (*read)(struct model_reader *r, struct model_node n, void *spec);

    /* A second member that may stand beside the one of the stage's name; NULL: none may. */
    const struct rule *beside;

    /* Runs once: rewrites the names of the scope, adds ops for what must look at values. */
    void (*plan)(struct scope *s, const struct stage_spec *stage);

    /* Appends ": ..." behind the stage's name: what it does, and what came of it. */
    void (*explain)(const void *spec, const struct stage_explain *x);

    /* Optional. Tells which tables the stage makes and refers to (read_table_made ...). */
    void (*tables)(const struct stage_spec *stage, struct read_tables *t);

    /* Optional. The condition that an item must meet (*drop: must not meet) to stay, for a
       server to test before it sends the item. */
    const struct cond *(*condition)(const void *spec, bool *drop);
};

#endif
