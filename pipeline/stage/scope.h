/* SPDX-License-Identifier: MIT */
/*
 * The names of an entity while it is compiled: which visible path stands for which slots.
 * Stages rename, hide and add names here; what is never mentioned is never in here.
 */
#ifndef STAGE_SCOPE_H
#define STAGE_SCOPE_H

#include "pipeline/stage/shape.h"

/* A visible name and the attribute or part it stands for. */
struct binding {
    struct path path;
    uint32_t slot;
    struct name_node *node; /* NULL for parts and derived attributes */
    bool part;
    enum col_type type; /* parts: as the template types them */
    struct binding *next;
};

struct planner;

/* An extract stage, until all tables are known. */
struct pending_extract {
    const struct extract_spec *spec;
    struct place place;
    struct str label;    /* the entity */
    struct fills *fills; /* one per column of the spec, columns not yet set */
    uint32_t *id;        /* gets the extract's index */
    struct pending_extract *next;
};

/* A reference, until all tables are known. */
struct pending_reference {
    uint32_t table;
    const struct reference_spec *spec;
    struct pending_reference *next;
};

struct scope {
    struct planner *planner;
    struct scope *parent; /* of an element; NULL for an entity */
    struct shape *shape;
    struct binding *bindings; /* newest first */
    const struct entity *entity;
    struct columns_spec columns;
    const struct stage_spec *stage; /* being compiled; NULL: none */
    /* built up by stages */
    struct op *ops;
    uint32_t nops, cap_ops;
    struct explode *explodes;
    uint32_t nexplodes, cap_explodes;
    const struct stage_spec **explode_specs; /* beside explodes: compiled after the columns */
    const struct fills *extracted[64];       /* what extract stages read */
    uint32_t nextracted;
    const struct link_spec *link;
    struct path rest_document; /* `into` of a document of all that is left; n == 0: none */
};

/* What compiling needs besides the scope. */
struct planner {
    struct arena *arena;
    const struct model *model;
    const struct names *indexing; /* globs */
    struct problems *problems;
    struct table *tables;
    uint32_t ntables, cap_tables;
    struct extract *extracts;
    uint32_t nextracts, cap_extracts;
    struct str *notes;
    uint32_t nnotes, cap_notes;
    struct pending_extract *pending; /* extracts whose target is resolved at the end */
    struct pending_reference *references;
    bool mask_used;
    enum rc rc; /* sticky RC_NOMEM */
};

/* A zeroed array from the planner's arena; NULL sets planner->rc. */
void *plan_array(struct planner *p, size_t count, size_t size);

/* Makes room for one more element of *v; returns the (moved) array or NULL. */
void *plan_push(struct planner *p, void *v, uint32_t n, uint32_t *cap, size_t size);

/* A counter with that label; the same label gives the same one. */
uint32_t plan_note(struct planner *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

uint32_t plan_table_find(const struct planner *p, struct str name);

/* All that a visible path stands for now; a path nobody bound is taken as the item's attribute
   of that name. `^Name` reads the parent. */
struct sources scope_find(struct scope *s, const struct path *path, struct place at);

/* The binding of an attribute (not of a part), made if need be; NULL when out of memory. */
struct binding *scope_attribute(struct scope *s, const struct path *path, struct place at);

/* Binds a new slot under a visible name (key parts, derived attributes). Returns the slot. */
uint32_t scope_bind_new(struct scope *s, const struct path *path, bool part,
                        enum col_type type);

/* Takes the visible name away from what it stood for (attributes and parts). */
void scope_hide(struct scope *s, const struct path *path);

/* The slot of attributes that nobody mentions and that match the column by name. */
uint32_t scope_open(struct scope *s, struct str name);

void scope_add_op(struct scope *s, const struct op *op);

bool path_eq(const struct path *a, const struct path *b);
struct path path_one(struct planner *p, struct str name);

#endif
