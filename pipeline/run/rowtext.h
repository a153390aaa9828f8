/* SPDX-License-Identifier: MIT */
/*
 * Rows as the JSON lines that table_row_json writes, cut into their cells again without
 * parsing: members come in column order, and texts are canonical, so that equal cells are
 * equal bytes.
 */
#ifndef RUN_ROWTEXT_H
#define RUN_ROWTEXT_H

#include "pipeline/model/table.h"

struct rowtext {
    const struct table *table; /* borrowed */
    struct str *names;         /* `"name":` as it stands in a line */
    struct buf text;           /* what names point into */
    struct str *cells;         /* of the line split last; p is NULL where missing */
};

enum rc rowtext_init(struct rowtext *r, const struct table *t, struct err *err) MUST_CHECK;
void rowtext_release(struct rowtext *r);

/* Fills r->cells with views into the line. False: not a line of this table. */
bool rowtext_split(struct rowtext *r, struct str line);

/* Appends the key of the line split last (candidate_key_add's form); false if it has none. */
bool rowtext_key(const struct rowtext *r, struct buf *key);

/* The line of a row with these cells (p NULL: missing), without a newline. */
void rowtext_join(const struct rowtext *r, const struct str *cells, struct buf *line);

#endif
