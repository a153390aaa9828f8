/* SPDX-License-Identifier: MIT */
/*
 * The names of an entity while it is compiled: which visible path stands for which slots.
 * Stages rename, hide and add names here. It has no attribute that the model never mentions.
 */
#ifndef PLAN_SCOPE_H
#define PLAN_SCOPE_H

#include "pipeline/base/map.h"
#include "pipeline/plan/shape.h"

/* Who has taken the content of a key part. */
enum part_taken {
    PART_LEFT = 0,
    PART_EXTRACTED, /* an extract, which may make no copy of an item */
    PART_TAKEN      /* a column of the scope, or a stage */
};

/* A visible name and the attribute or part it stands for. */
struct binding {
    struct path path;
    uint32_t slot;
    struct name_node *node; /* NULL for parts and derived attributes */
    bool part;
    bool masked;
    enum col_type type; /* parts: as the template types them */
    enum part_taken taken;
    struct binding *next;
};

struct planner;

/* An attribute with a key template. It is explained, and need not be kept, if all parts are
   taken. */
struct templated {
    struct name_node *node;
    struct str attribute;
    struct place place;
    struct binding **parts;
    uint32_t n;
    const struct keys_spec *keys; /* those it stands among */
    uint32_t form;                /* which form of them */
    uint32_t matched;             /* a slot that is set when it matches; SLOT_NONE: one form */
    struct templated *next;
};

/* A table of its own for attributes that items repeat. */
struct extract_table {
    struct str into;
    struct names key;            /* columns of `into` */
    struct columns_spec columns; /* those of the key, too; `from` names the item's attribute */
    enum extract_rule rule;
    bool rule_given;
};

/* How the candidates for its rows are made. */
struct extract_cells {
    struct fills fills; /* one per column of the extract_table */
    uint32_t id;        /* of the extract */
};

/* An extract until all tables are known; only then do `cells` get their columns and the id. */
struct pending_extract {
    const struct extract_table *to;
    struct place place;
    struct str label; /* the entity */
    struct extract_cells *cells;
    struct pending_extract *next;
};

/* A child table for the elements of an attribute. */
struct child_table {
    struct place place;
    struct str into;
    struct str ordinal; /* lists: the column of the position; empty: "ordinal" */
    struct columns_spec columns;
    const struct names *primary_key; /* its own; n == 0: none */
    const struct references_spec *references;
    const struct stages_spec *stages; /* of the element */
    enum rest_rule rest;
};

/* A relationship: each of its columns refers to a table, all together are the key. */
struct relationship {
    struct reference_spec *v;
    uint32_t n;
    bool symmetric;
};

/* A reference, until all tables are known. */
struct pending_reference {
    uint32_t table;
    const struct reference_spec *spec;
    struct pending_reference *next;
};

/* A slot whose texts are parsed. */
struct pending_parse {
    uint32_t slot;
    struct parse_rule rule;
    struct pending_parse *next;
};

/* A column that a key or a reference of the table names, and that is not there. */
struct missing_name {
    uint32_t table;
    struct str name;
    bool key; /* of the primary key */
    struct missing_name *next;
};

struct scope {
    struct planner *planner;
    struct scope *parent; /* of an element; NULL for an entity */
    struct shape *shape;
    struct binding *bindings; /* newest first */
    struct templated *templated;
    const struct entity *entity;
    struct columns_spec columns;
    const struct stage_spec *stage; /* being compiled; NULL: none */
    /* What stages have added so far: */
    struct op *ops;
    uint32_t nops;
    size_t cap_ops;
    struct explode *explodes;
    struct child_table *children; /* one per explode: made after the scope's own columns */
    uint32_t nexplodes;
    size_t cap_explodes;
    const struct fills *extracted[64]; /* what extract stages read */
    uint32_t nextracted;
    struct pending_parse *parses;
    const struct relationship *link;
    struct path rest_document; /* `into` of a document of all that is left; n == 0: none */
};

/* What compiling needs besides the scope. */
struct planner {
    struct arena *arena;
    const struct model *model;
    const struct names *indexing; /* globs */
    const struct names *key;      /* of the table; empty: not known */
    struct problems *problems;
    bool (*reserved)(struct str name, bool table); /* see plan_options; may be NULL */
    struct table *tables;
    uint32_t ntables;
    size_t cap_tables;
    struct extract *extracts;
    uint32_t nextracts;
    size_t cap_extracts;
    struct str *notes;
    uint32_t nnotes;
    size_t cap_notes;
    struct map note_at,
        table_at; /* by text, by name; linear looks are felt with 10,000 tables */
    struct schema_stage *stages;
    uint32_t nstages;
    size_t cap_stages;
    struct pending_extract *pending;      /* extracts whose target is resolved at the end */
    struct pending_reference *references; /* these, too; both in the order of the model */
    struct missing_name *missing;
    bool mask_used, masks;
    enum rc rc; /* sticky RC_NOMEM */
};

/* A zeroed array from the planner's arena; NULL sets planner->rc. */
void *plan_array(struct planner *p, size_t count, size_t size);

/* Makes room for one more element of *v; returns the (moved) array or NULL. */
void *plan_append(struct planner *p, void *v, uint32_t n, size_t *cap, size_t size);

/* A counter with that label; the same label gives the same one. */
uint32_t plan_note(struct planner *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

uint32_t plan_table_find(const struct planner *p, struct str name);

/* All that a visible path stands for now; a path nobody bound is taken as the item's attribute
   of that name. `^Name` reads the parent. */
struct sources scope_find(struct scope *s, const struct path *path, struct place at);

/* The binding of an attribute (not of a part), made if need be; NULL when out of memory. */
struct binding *scope_attribute(struct scope *s, const struct path *path, struct place at);

/* Makes the attribute known even if there is a key part of its name: both count. An attribute
   that a pick stage has dropped stays away; `^Name` is left to scope_find. */
void scope_mention(struct scope *s, const struct path *path, struct place at);

/* Notes that a stage takes the content of the key parts of that name: it is not lost any more. */
void scope_take(struct scope *s, const struct path *path, enum part_taken how);

/* Notes that the content of that name is hidden, which is a way of taking it. */
void scope_mask(struct scope *s, const struct path *path);

/* Binds a new slot under a visible name (key parts, derived attributes). Returns the slot. */
uint32_t scope_bind_new(struct scope *s, const struct path *path, bool part,
                        enum col_type type);

/* Takes the visible name away from what it stood for (attributes and parts). */
void scope_hide(struct scope *s, const struct path *path);

/* The slot of attributes that nobody mentions and that match the column by name. */
uint32_t scope_open(struct scope *s, struct str name);

/* Has the texts of an attribute parsed, all that `from` found for `path`. One attribute is parsed
   in one way. */
void scope_parse(struct scope *s, const struct sources *from, const struct path *path,
                 const struct parse_rule *rule, struct place at);

/* Gives the shape what was said so, once all slots are known. */
void scope_parse_finish(struct scope *s);

/* Adds an op; its name and place are those of the stage being compiled. */
void scope_add_op(struct scope *s, const struct op *op);

/* Has the elements of an attribute make rows of a child table. */
void scope_add_child(struct scope *s, const struct explode *explode,
                     const struct child_table *child);

/* Has candidates for the rows of a table made. Borrows both for as long as the plan lives. */
void scope_add_extract(struct scope *s, const struct extract_table *to,
                       struct extract_cells *cells);

/* Adds a column unless the scope has one of that name. */
void scope_declare(struct scope *s, const struct column_spec *column);

struct path scope_path_one(struct planner *p, struct str name);

#endif
