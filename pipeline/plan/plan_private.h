/* SPDX-License-Identifier: MIT */
/* The planner's own parts: tables and shapes of entities and of exploded elements. */
#ifndef PLAN_PLAN_PRIVATE_H
#define PLAN_PLAN_PRIVATE_H

#include "pipeline/plan/scope.h"

/* A table of that name, made if need be; UINT32_MAX when out of memory. */
uint32_t build_table(struct planner *p, struct str name, enum table_kind kind);

/* A column of that name and type, made if need be; another type is a problem. */
uint32_t build_column(struct planner *p, uint32_t table, const struct column *c,
                      struct place at);

uint32_t build_column_find(const struct table *t, struct str name);

/* A shape that knows no name, fills no column and feeds no extract yet; NULL when out of memory. */
struct shape *build_shape(struct planner *p, struct str label);

/* Compiles the stages of a scope, in order. */
void build_stages(struct scope *s, const struct stages_spec *specs);

/* Columns and fills of the scope's own columns, from column `first` of the table on. */
void build_fills(struct scope *s);

/* The rest of a scope: `extra`, ops, children. */
void build_finish(struct scope *s);

/* Which attributes with key templates need not be kept: all their parts are taken. */
void build_explained(struct scope *s);

/* What is counted of the index attributes of an entity. Behind all other notes, so that the numbers
   of those stay what they were in the ledgers of earlier versions. */
void build_index_notes(struct planner *p, struct shape *shape);

/* Notes references, which are made when all tables are known. Borrows the specs. */
void build_pending_references(struct planner *p, uint32_t table, const struct reference_spec *v,
                              uint32_t n);

/* plan_sources.c: the parts of the run and their keys. */
struct plan_options;
struct plan;
enum rc plan_sources(struct plan *plan, const struct plan_options *opts);

/* The key of the items of an entity. */
const struct names *plan_key_for(const struct plan *p, const struct entity *e);

/* One entity. Returns its shape, or NULL when out of memory. */
struct shape *build_entity(struct planner *p, const struct entity *e);

/* The child table of one explode of a scope. */
struct shape *build_child(struct scope *parent, const struct child_table *child,
                          const struct explode *explode);

/* What could not be known before: targets of extracts, tables referred to, name clashes. */
void build_extracts(struct planner *p);
void build_references(struct planner *p);
void build_check_names(struct planner *p);

/* Of a table that several shapes fill: a column that one of them may leave empty can be NULL. */
void build_nullable(struct planner *p, const struct shape *shape);

/* A reference by column indexes, appended to the table. */
void build_reference(struct planner *p, uint32_t table, const struct reference *r);

/* Finds the place of the entity whose rows the table holds; 0, 0: none has. */
struct place build_table_place(const struct planner *p, uint32_t table);

/* Notes a column that is not there; false: it was told before, as missing in that table. */
bool build_missing_note(struct planner *p, uint32_t table, struct str name, bool key);

/* True if the table's primary key names what is not there: nothing that follows is told. */
bool build_missing_key(const struct planner *p, uint32_t table);

/* The column of the table, or key part of the scope (may be NULL), that the name comes near to; or
   NULL. */
const char *build_missing_near(struct planner *p, uint32_t table, const struct scope *s,
                               struct str name);

/* Finds what is NULL where a flattened attribute is. */
void build_flattened(struct scope *s);

#endif
