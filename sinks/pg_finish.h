/* SPDX-License-Identifier: MIT */
/*
 * Steps between the last row and publishing. Each is one transaction, which also crosses the step
 * off in the ledger, so that a run that was stopped goes on with the first one left.
 */
#ifndef SINKS_PG_FINISH_H
#define SINKS_PG_FINISH_H

#include "sinks/pg_run.h"

/* What a step counted, or why nothing may be published. */
struct pg_outcome {
    uint64_t amount;
    bool refused; /* what it wrote stays, but the step is not done; err says why */
};

/*
 * pg_count.c: as many rows are staged as the ledger's segments say were committed, table by table.
 * RC_SINK if not, naming each table that differs. out->amount: all rows.
 */
enum rc pg_count_held(struct pg_run *r, struct pg_outcome *out, struct err *err) MUST_CHECK;

/* pg_reduce.c: the winners of an extract into its table, the losers into its conflict table. */
enum rc pg_reduce(struct pg_run *r, uint32_t extract, struct pg_outcome *out,
                  struct err *err) MUST_CHECK;

/* pg_check.c: keys that more than one staged row has: refused, or all but one removed. */
enum rc pg_duplicates(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                      struct err *err) MUST_CHECK;

/* The primary key of a staged table. */
enum rc pg_build_key(struct pg_run *r, uint32_t table, struct err *err) MUST_CHECK;

/* Appends the lines of a query's two columns to the error: key, source keys. */
enum { PG_EXAMPLES = 5 };
enum rc pg_add_examples(struct pg_run *r, struct buf *sql, struct err *err) MUST_CHECK;

/* pg_long.c: values that the key or an index of a staged table would not take are refused, with
   examples, before anything is built or published. */
enum rc pg_check_long(struct pg_run *r, uint32_t table, struct pg_outcome *out,
                      struct err *err) MUST_CHECK;
bool pg_may_be_long(const struct table *t);

/*
 * pg_orphan.c: counts rows of reference ref without a parent, keeps examples, and (with build)
 * adds the foreign key, validated if there were none. Tables stand in `schema`.
 */
enum rc pg_orphan_check(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                        struct pg_outcome *out, struct err *err) MUST_CHECK;
enum rc pg_foreign_key(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                       struct pg_outcome *out, struct err *err) MUST_CHECK;

/* pg_analyze.c: statistics of all staged tables. */
enum rc pg_analyze(struct pg_run *r, struct err *err) MUST_CHECK;

/* Columns of a table under an alias. */
struct pg_side {
    const char *alias;
    const struct table *table;
    const uint32_t *columns;
};

/* `a.x = b.x AND ...` of n columns each. */
void pg_add_match(struct buf *b, struct pg_side left, struct pg_side right, uint32_t n);

/* jsonb_build_object of the columns, values of alias `a`. */
void pg_add_object(struct buf *b, const char *a, const struct table *t, const uint32_t *columns,
                   uint32_t n);

#endif
