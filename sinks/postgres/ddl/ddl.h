/* SPDX-License-Identifier: MIT */
/*
 * Statements that make the tables of a model. The same functions serve the load (in the run's
 * staging schema), the publish (in the target) and `check --ddl`, which prints them.
 */
#ifndef SINKS_POSTGRES_DDL_DDL_H
#define SINKS_POSTGRES_DDL_DDL_H

#include "pipeline/row/schema.h"
#include "sinks/postgres/ddl/quote.h"

/* Beside a staged row: where in the source its item stood. Gone before publishing. */
#define PG_POS STR("renorm:pos")

/* True if the server keeps the name of a table or column for itself, or this program does. */
bool pg_ddl_reserved(struct str name, bool table);

/* RC_USAGE for what no server would take: too many columns, too wide a key, reserved names. */
enum rc pg_ddl_check(const struct schema *s, struct err *err) MUST_CHECK;

/* "text COLLATE \"C\"" for keys, else the type's name. */
void pg_ddl_type(struct buf *b, const struct column *c);

/* Whether a column of the target is of the model's type; `is` as format_type() gives it. A
   modifier, as in numeric(10,2), is another type unless it does not matter here. */
bool pg_ddl_type_is(const struct column *c, const char *is, bool any_modifier);

/* `"a", "b"` of the listed columns, or of all with list == NULL; before each `prefix`. */
void pg_ddl_columns(struct buf *b, const struct table *t, const uint32_t *list, uint32_t n,
                    const char *prefix);

enum pg_ddl_kind { PG_DDL_LOGGED, PG_DDL_UNLOGGED };

/* CREATE TABLE; `pos` adds the column PG_POS. */
void pg_ddl_table(struct buf *b, struct str schema, const struct table *t,
                  enum pg_ddl_kind kind, bool pos);
void pg_ddl_comments(struct buf *b, struct str schema, const struct table *t);
void pg_ddl_column_comment(struct buf *b, struct str schema, const struct table *t,
                           uint32_t column);

/* ALTER TABLE ... ADD PRIMARY KEY; nothing for a table without key. */
void pg_ddl_key(struct buf *b, struct str schema, const struct schema *s, uint32_t table);

/* The index that serves reference r; false (and nothing added) where the key serves already. */
bool pg_ddl_index(struct buf *b, struct str schema, const struct schema *s, uint32_t table,
                  uint32_t r);

/* True if the key or the index of an earlier reference to the same columns serves reference r. */
bool pg_ddl_index_served(const struct table *t, uint32_t r);

/* ddl_names.c: what the key of a table, and index and constraint of reference r are called. */
struct pg_name pg_ddl_key_name(const struct schema *s, uint32_t table);
struct pg_name pg_ddl_index_name(const struct schema *s, uint32_t table, uint32_t r);
struct pg_name pg_ddl_foreign_name(const struct table *t, uint32_t r);

/* A line, with `before` in front, for each name of the model or made from it that had to be cut. */
void pg_ddl_tell_cut(struct buf *b, const char *before, const struct schema *s,
                     bool constraints);

/* ALTER TABLE ... ADD FOREIGN KEY ... NOT VALID. */
void pg_ddl_foreign(struct buf *b, struct str schema, const struct schema *s, uint32_t table,
                    uint32_t r);
void pg_ddl_validate(struct buf *b, struct str schema, const struct table *t, uint32_t r);

/* True if reference r can be a foreign key: the other side has a key to point at. */
bool pg_ddl_can_refer(const struct schema *s, uint32_t table, uint32_t r);

/*
 * Everything a load into empty tables runs, in order, for people: `check --ddl`. Names that had
 * to be cut are told in comments.
 */
enum rc pg_ddl_print(struct buf *b, const struct schema *s, struct str target,
                     bool no_constraints, struct err *err) MUST_CHECK;

#endif
