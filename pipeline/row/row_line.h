/* SPDX-License-Identifier: MIT */
/*
 * Rows as the JSON lines that schema_row_json writes, cut into their members again without
 * parsing: lines are compact, and texts are canonical, so that equal cells are equal bytes.
 */
#ifndef ROW_ROW_LINE_H
#define ROW_ROW_LINE_H

#include "pipeline/row/schema.h"

/*
 * The next member of a line, whatever table it is of; *at starts at 0. `name` keeps its quotes;
 * both are views into the line. False at the end.
 */
bool row_line_next(struct str line, size_t *at, struct str *name, struct str *value);

/* The line without its null members: what PostgreSQL cannot tell from missing. Clears `out`. */
void row_line_fold(struct str line, struct buf *out);

/* The lines of one table. */
struct row_line {
    const struct table *table; /* borrowed */
    struct str *names;         /* `"name":` as it stands in a line */
    struct buf text;           /* what names point into */
    struct str *cells;         /* of the line split last; p is NULL where missing */
};

enum rc row_line_init(struct row_line *r, const struct table *t, struct err *err) MUST_CHECK;
void row_line_release(struct row_line *r);

/*
 * Fills r->cells with views into the line. False: not a line that schema_row_json wrote of this
 * table; the cells that the line does name are filled nevertheless.
 */
bool row_line_split(struct row_line *r, struct str line);

/*
 * Appends the key of the line split last (candidate_key_add's form), null for a cell that is
 * missing. False if one is, or if the table has no key.
 */
bool row_line_key(const struct row_line *r, struct buf *key);

/* The line of a row with these cells (p NULL: missing), without a newline. */
void row_line_join(const struct row_line *r, const struct str *cells, struct buf *line);

#endif
