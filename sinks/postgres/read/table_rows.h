/* SPDX-License-Identifier: MIT */
/*
 * Reading back what a run published: a table's rows as the pipeline's own cells, by COPY TO in
 * binary, one row in memory at a time; and what the ledger says of the run that made them.
 */
#ifndef SINKS_POSTGRES_READ_TABLE_ROWS_H
#define SINKS_POSTGRES_READ_TABLE_ROWS_H

#include "pipeline/row/schema.h"

struct pg_reader;

/* A published run of a schema. */
struct pg_run_info {
    struct str model_hash, source_identity, options; /* valid until close */
    struct str duplicates; /* "first" or "last" if rows of one key had to go; else empty */
    int64_t now_us;
    long long run;
};

/* Connects; `schema` is borrowed until close. Returns owned in *out. */
enum rc pg_reader_open(const char *conninfo, const char *schema, struct pg_reader **out,
                       struct err *err) MUST_CHECK;
void pg_reader_close(struct pg_reader *r);

/* The run that made the tables of the model. RC_USAGE if nothing was ever published there, or they
   are of several runs. */
enum rc pg_reader_run(struct pg_reader *r, const struct schema *of, struct pg_run_info *out,
                      struct err *err) MUST_CHECK;

/*
 * Begins a table. One that is not there, or lacks a column, or has one too many or of another type, has no
 * rows: pg_reader_lacks says so then, for people; else it is NULL.
 */
enum rc pg_reader_table(struct pg_reader *r, const struct table *t, struct err *err) MUST_CHECK;
const char *pg_reader_lacks(const struct pg_reader *r);

/*
 * The next row: one cell for each column of the table, living in `a`; text and bytea point into
 * the reader and are valid until the next call. RC_END after the last.
 */
enum rc pg_reader_next(struct pg_reader *r, struct arena *a, struct datum *cells,
                       struct err *err) MUST_CHECK;

struct pg_reject_info {
    long long run;
    uint64_t items, bytes;
    uint64_t unrouted; /* of the items */
};

/* The rejects of a run (0: the newest that has any); RC_USAGE if there are none. */
enum rc pg_reader_reject_info(struct pg_reader *r, long long run, struct pg_reject_info *out,
                              struct err *err) MUST_CHECK;

/* An item that became no row, as `verify` compares it; valid until the next one. */
struct pg_kept_item {
    bool unrouted;
    struct str reason, bytes;
};

/* Begins with those of a run, in any order; RC_END after the last. */
enum rc pg_reader_kept(struct pg_reader *r, long long run, struct err *err) MUST_CHECK;
enum rc pg_reader_kept_next(struct pg_reader *r, struct pg_kept_item *out,
                            struct err *err) MUST_CHECK;

/* Begins with them, in a fixed order, after the first `skip`. */
enum rc pg_reader_rejects(struct pg_reader *r, long long run, uint64_t skip,
                          struct err *err) MUST_CHECK;

/* The next item, valid until the next call; RC_END after the last. */
enum rc pg_reader_item(struct pg_reader *r, struct str *item, struct err *err) MUST_CHECK;

#endif
