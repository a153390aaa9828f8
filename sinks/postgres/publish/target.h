/* SPDX-License-Identifier: MIT */
/* What the publishing modes share. */
#ifndef SINKS_POSTGRES_PUBLISH_TARGET_H
#define SINKS_POSTGRES_PUBLISH_TARGET_H

#include "sinks/postgres/postgres_private.h"

/* The tables of the model as an array literal of their fitted names. */
void pg_table_names(struct buf *b, const struct schema *s);

/* A fitted name as an element of such a literal. */
void pg_add_element(struct buf *b, struct str text);

/* swap.c: replace. Inside the caller's transaction. */
enum rc pg_swap(struct pg_run *r, struct err *err) MUST_CHECK;

/*
 * merge.c: append and merge. Inside the caller's transaction. RC_FINISHED_BAD, with the verdict: it would
 * delete more than the guards let it.
 */
enum rc pg_merge(struct pg_run *r, struct verdict *v, struct sink_report *report,
                 struct err *err) MUST_CHECK;

/* delete_missing.c: rows of the target whose keys did not come again go, counted and guarded. */
enum rc pg_delete_missing(struct pg_run *r, struct verdict *v, struct sink_report *report,
                          struct err *err) MUST_CHECK;

/* shown_rows.c: the rows of a table of the target, 0 if there is none. */
enum rc pg_target_rows(struct pg_run *r, uint32_t table, uint64_t *rows,
                       struct err *err) MUST_CHECK;
/* Do staged rows take the place of rows with their keys? */
bool pg_replaces(const struct pg_run *r);
/* The table whose rows say which rows of table i, children or conflicts, are out of date; NULL if
   none does. Its key stands in them under the same names. */
const struct table *pg_governs(const struct schema *s, uint32_t i);

/* existing_rows.c: staged rows that give way to rows of the target leave, told in the report. */
enum rc pg_existing_rows(struct pg_run *r, struct sink_report *report,
                         struct err *err) MUST_CHECK;

/*
 * foreign_keys.c: foreign keys that would be in the way of the rows to come stand aside, and come
 * back: NOT VALID where rows without a parent remain, else validated. The others stay in force.
 */
enum rc pg_references_away(struct pg_run *r, struct err *err) MUST_CHECK;
enum rc pg_references_back(struct pg_run *r, struct sink_report *report,
                           struct err *err) MUST_CHECK;

#endif
