/* SPDX-License-Identifier: MIT */
/*
 * The tables of a model as text for other tools: diagrams, dbt sources, a data contract. A format
 * is a row of a table and a file of its own; all are called by one walk over the schema, so that
 * they agree on what is a key, a reference and an optional column.
 */
#ifndef CMD_PRINT_DIAGRAM_DIAGRAM_H
#define CMD_PRINT_DIAGRAM_DIAGRAM_H

#include "pipeline/plan/plan.h"

struct diagram {
    const struct schema *schema;
    struct str database; /* the schema of the database, or the model's name */
    struct str version;  /* of the model: a hash */
    bool odd_names;      /* some table or column is no plain word */
    struct buf *out;
};

struct diagram_column {
    const struct table *table;
    const struct column *column;
    uint32_t at;        /* its index in the table */
    uint32_t key_place; /* its place in the primary key, from 1; 0: it is no part of it */
    bool unique;        /* alone the primary key */
    bool refers;        /* part of some reference */
};

struct diagram_reference {
    const struct table *from, *to;
    const struct reference *columns;
    bool optional; /* some column of it may be NULL */
    bool single;   /* at most one row refers to each: its columns are the whole primary key */
};

/* Members may be NULL. A table's columns come between its begin and its end, the references behind
   all tables. */
struct diagram_format {
    void (*begin)(const struct diagram *d);
    void (*table)(const struct diagram *d, const struct table *t);
    void (*column)(const struct diagram *d, const struct diagram_column *c);
    void (*table_end)(const struct diagram *d, const struct table *t);
    void (*reference)(const struct diagram *d, const struct diagram_reference *r);
    void (*end)(const struct diagram *d);
    void (*whole)(const struct diagram *d); /* writes all at once, instead of the others */
};

extern const struct diagram_format diagram_mermaid, diagram_dbml, diagram_dot, diagram_svg,
    diagram_dbt, diagram_contract;

/* `database`: the schema of the database; empty: the model's name. */
void diagram_print(const struct plan *plan, struct str database, const struct diagram_format *f,
                   struct buf *out);

/* Describes reference i of the table; false: no foreign key can be made of it. */
bool diagram_refer(const struct diagram *d, const struct table *t, uint32_t i,
                   struct diagram_reference *out);

/* "exploded from", "entity" ..: what the table's comment is about. */
const char *diagram_kind(const struct table *t);

#endif
