/* SPDX-License-Identifier: MIT */
/*
 * Reads back what a sink holds: the rows of a table as canonical lines (see schema_row_json), in
 * any order, as often as they are asked for. Each sink implements this interface in its own folder,
 * and whoever compares rows knows nothing else of a sink.
 */
#ifndef COMPARE_ROWS_READER_H
#define COMPARE_ROWS_READER_H

#include "pipeline/compare/tally.h"
#include "pipeline/row/schema.h"

struct rows_reader;

/* How many items became no rows, and the sums of what they are, made by rowless_add. */
struct rowless_items {
    uint64_t rejected, unrouted;
    struct tally_sum rejected_content, unrouted_content;
};

/* Adds an item by its reason and its content; what is no item by its bytes, where line breaks count
   as spaces. Uses the buffer. */
enum rc rowless_add(struct tally_sum *to, struct str reason, struct str item, struct buf *buf,
                    struct err *err) MUST_CHECK;

struct rows_reader_ops {
    /* Begins (again) with the rows of table `index` of the schema. */
    enum rc (*start)(struct rows_reader *r, uint32_t index, struct err *err);
    /* Gives the next line, valid until the next call; RC_END when there is none. */
    enum rc (*next)(struct rows_reader *r, struct str *line, struct err *err);
    /* Counts what the sink keeps of such items; may be NULL. Ends the current table. */
    enum rc (*rowless)(struct rows_reader *r, struct rowless_items *out, struct err *err);
    /*
     * Appends what the sink says that the run counted, a line `name\tnumber\n` each, in any order.
     * May be NULL: it says nothing.
     */
    enum rc (*counts)(struct rows_reader *r, struct buf *out, struct err *err);
    void (*free)(struct rows_reader *r);
};

struct rows_reader {
    const struct rows_reader_ops *ops;
    bool folds_nulls;      /* the sink cannot tell NULL from missing */
    int64_t now_us;        /* the start of the run that made it; 0: not known */
    struct str model_hash; /* the model it was made with; empty: not known */
    struct str options;    /* the options that change rows; empty: not known */
    struct str duplicates; /* which row of a key was kept: "first", "last"; empty: all were */
    const char *lacks;     /* why the current table cannot be read, for people; NULL: it can */
};

struct rows_each {
    enum rc (*row)(void *ctx, struct str key, struct str line, struct err *err);
    void *ctx;
};

/*
 * Reads a table from its start to its end, and gives every row with its key, in the forms that
 * tally takes. With `fold` lines come without nulls, as a sink that folds them has it.
 */
struct rows_table {
    const struct schema *schema;
    uint32_t index;
    bool fold;
};
enum rc rows_walk(struct rows_reader *r, const struct rows_table *of,
                  const struct rows_each *each, struct err *err) MUST_CHECK;

#endif
