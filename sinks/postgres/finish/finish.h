/* SPDX-License-Identifier: MIT */
/*
 * Steps between the last row and publishing. Each is one transaction, which also crosses the step
 * off in the ledger, so that a run that was stopped goes on with the first one left.
 */
#ifndef SINKS_POSTGRES_FINISH_FINISH_H
#define SINKS_POSTGRES_FINISH_FINISH_H

#include "sinks/postgres/postgres_private.h"

/* What a step counted, or why nothing may be published. */
struct pg_outcome {
    uint64_t amount;
    bool refused; /* what it wrote stays, but the step is not done; err says why */
};

/*
 * row_counts.c: as many rows of a table are staged as the ledger's segments say were committed; the
 * same of rejected and unrouted items. RC_SINK if not. out->amount: how many. r->counters are known.
 */
enum rc pg_count_held(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                      struct err *err) MUST_CHECK;
enum rc pg_count_rejects(struct pg_run *r, struct pg_outcome *out, struct err *err) MUST_CHECK;

/* reduce_sql.c: how many pairs of a symmetric link came in one direction only. */
enum rc pg_missing_mirrors(struct pg_run *r, uint32_t extract, struct pg_outcome *out,
                           struct err *err) MUST_CHECK;

/* reduce_sql.c: the winners of an extract into its table, the losers into its conflict table. */
enum rc pg_reduce(struct pg_run *r, uint32_t extract, struct pg_outcome *out,
                  struct err *err) MUST_CHECK;

/*
 * try_first.c: runs statements inside the caller's transaction. *done false: they failed with one of
 * `states` (SQLSTATEs, NULL behind the last), and nothing of them stays; any other failure is one.
 */
enum rc pg_try_first(struct pg_run *r, struct buf *sql, const char *const *states, bool *done,
                     struct err *err) MUST_CHECK;

/*
 * try_first.c: builds an index or key with such a statement. If values are too long for it they are
 * looked for, and the step is refused with examples.
 */
enum rc pg_try_index(struct pg_run *r, struct buf *sql, uint32_t table, struct pg_outcome *out,
                     struct err *err) MUST_CHECK;

/* try_first.c: does a constraint of this name stand on the staged table? */
enum rc pg_has_constraint(struct pg_run *r, uint32_t table, const struct pg_name *name,
                          bool *there, struct err *err) MUST_CHECK;

/* duplicates.c: the primary key of a staged table, if its rows are such that it can stand. */
enum rc pg_early_key(struct pg_run *r, uint32_t table, struct err *err) MUST_CHECK;

/* duplicates.c: keys that more than one staged row has: refused, or all but one removed. Where the
   primary key stands there are none. */
enum rc pg_duplicates(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                      struct err *err) MUST_CHECK;

/* steps.c: copies give way to the table's own items, and are added behind them. */
bool pg_table_owned(const struct schema *s, uint32_t table);

/* The primary key of a staged table, unless it stands. */
enum rc pg_build_key(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                     struct err *err) MUST_CHECK;

/* Appends the lines of a query's two columns to the error: key, source keys. */
enum { PG_EXAMPLES = 5 };
enum rc pg_add_examples(struct pg_run *r, struct buf *sql, struct err *err) MUST_CHECK;

/* key_length.c: values that the key or an index of a staged table would not take are refused, with
   examples, before anything is built or published. */
enum rc pg_check_long(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                      struct err *err) MUST_CHECK;
bool pg_may_be_long(const struct table *t);

/*
 * orphans.c: a foreign key in two steps, so that its tables are locked for a moment only: it stands
 * for new rows, unless it stood; then the rows that are there are checked, and counted if some have
 * no parent. The third is both at once, of tables in any schema.
 */
enum rc pg_refer(struct pg_run *r, uint32_t table, uint32_t ref, struct err *err) MUST_CHECK;
enum rc pg_check_foreign(struct pg_run *r, uint32_t table, uint32_t ref, struct pg_outcome *out,
                         struct err *err) MUST_CHECK;
enum rc pg_foreign_key(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                       struct pg_outcome *out, struct err *err) MUST_CHECK;

/* A query whose $1 is the number of the run. out (owned, PQclear) may be NULL. */
enum rc pg_query_run(struct pg_run *r, const char *sql, PGresult **out,
                     struct err *err) MUST_CHECK;

/* Columns of a table under an alias. */
struct pg_side {
    const char *alias;
    const struct table *table;
    const uint32_t *columns;
};

/* `a.x = b.x AND ...` of n columns each. */
void pg_add_match(struct buf *b, struct pg_side left, struct pg_side right, uint32_t n);

/* The same for the columns of t's key; both aliases have its names. */
void pg_add_key_match(struct buf *b, const struct table *t, const char *left,
                      const char *right);

/* jsonb_build_object of the columns, values of alias `a`. */
void pg_add_object(struct buf *b, const char *a, const struct table *t, const uint32_t *columns,
                   uint32_t n);

#endif
