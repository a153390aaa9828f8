/* SPDX-License-Identifier: MIT */
/* One side of a comparison: the rows of a table as canonical lines, in any order, twice if need be. */
#ifndef CMD_SIDE_H
#define CMD_SIDE_H

#include "pipeline/model/table.h"

struct side;

/* Items that became no rows, as a side keeps them. */
struct side_left {
    uint64_t rejected, unrouted;
};

struct side_ops {
    /* Begins (again) with the rows of table `index` of the schema. */
    enum rc (*start)(struct side *s, uint32_t index, struct err *err);
    /* The next line, valid until the next call; RC_END at the end. */
    enum rc (*next)(struct side *s, struct str *line, struct err *err);
    /* Reads what it keeps of rejected and unrouted items; may be NULL. Ends the current table. */
    enum rc (*left)(struct side *s, struct side_left *out, struct err *err);
    void (*free)(struct side *s);
};

struct side {
    const struct side_ops *ops;
    bool folds_nulls;      /* cannot tell NULL from missing */
    int64_t now_us;        /* the start of the run that made it; 0: not known */
    struct str model_hash; /* the model it was made with; empty: not known */
    struct str options;    /* the options that change rows; empty: not known */
    struct str
        duplicates;    /* which row of a key stayed, "first" or "last"; empty: none had to go */
    const char *lacks; /* what the table begun last has not, for people; NULL: nothing */
};

struct side_each {
    enum rc (*row)(void *ctx, struct str key, struct str line, struct err *err);
    void *ctx;
};

/*
 * Gives every row of a table with its key, as tally wants both; `fold` leaves out what a side
 * that folds NULLs cannot tell.
 */
struct side_table {
    const struct schema *schema;
    uint32_t index;
    bool fold;
};
enum rc side_walk(struct side *s, const struct side_table *of, const struct side_each *each,
                  struct err *err) MUST_CHECK;

/* A folder of JSON lines with a finished run. Returns owned in *out. */
enum rc side_folder(const char *path, const struct schema *schema, struct side **out,
                    struct err *err) MUST_CHECK;

/* The tables of a PostgreSQL database; name NULL: the model's schema. */
enum rc side_pg(const char *conninfo, const char *name, const struct schema *schema,
                struct side **out, struct err *err) MUST_CHECK;

#endif
