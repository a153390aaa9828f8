/* SPDX-License-Identifier: MIT */
/* The list of finish steps, and what each does. */
#ifndef SINKS_POSTGRES_FINISH_STEPS_H
#define SINKS_POSTGRES_FINISH_STEPS_H

#include "sinks/postgres/finish/finish.h"

enum pg_step_kind {
    PG_STEP_COUNT,      /* the staged rows of a table are as many as the ledger says */
    PG_STEP_REJECTS,    /* so are the items kept aside */
    PG_STEP_MIRRORS,    /* of a symmetric link; table: number of the extract */
    PG_STEP_REDUCE,     /* table: number of the extract */
    PG_STEP_LOGGED,     /* unlogged tables become logged, segments with them */
    PG_STEP_EARLY,      /* the key, if the rows are as they should be */
    PG_STEP_DUPLICATES, /* one row for each key */
    PG_STEP_LONG,       /* no value longer than its index takes */
    PG_STEP_KEY,
    PG_STEP_INDEX,
    PG_STEP_REFER,   /* a foreign key that new rows would have to keep */
    PG_STEP_FOREIGN, /* and those that are there; stands behind its REFER */
    PG_STEP_CARRY,   /* indexes somebody added to the table that will be replaced */
    PG_STEP_PLAIN,   /* the position column goes */
    PG_STEP_ANALYZE,
    PG_STEP_TOTAL,
    PG_STEP_KINDS
};

struct pg_step {
    enum pg_step_kind kind;
    uint32_t table, ref;
};

struct pg_steps {
    struct pg_step *v; /* owned: free */
    uint32_t n;
    size_t cap;
};

enum rc pg_steps_make(struct pg_steps *steps, const struct pg_run *r,
                      struct err *err) MUST_CHECK;
/* As the ledger calls it. */
void pg_step_name(struct buf *b, const struct pg_run *r, const struct pg_step *step);
/* For people: "key of orders". */
void pg_step_words(struct buf *b, const struct pg_run *r, const struct pg_step *step);

/* step_once.c: does the step on r's connection, unless the ledger says that it was done. */
enum rc pg_step_once(struct pg_run *r, const struct pg_step *step, struct pg_outcome *out,
                     struct err *err) MUST_CHECK;

/* Inside the caller's transaction. */
enum rc pg_step_run(struct pg_run *r, const struct pg_step *step, struct pg_outcome *out,
                    struct err *err) MUST_CHECK;

/* Rows and bytes of each table, as the last step left them. */
enum rc pg_totals_read(struct pg_run *r, struct sink_report *report,
                       struct err *err) MUST_CHECK;

/* Indexes that people made on the table in the target, for the staged one. */
enum rc pg_carry_indexes(struct pg_run *r, const struct table *t, struct err *err) MUST_CHECK;

#endif
