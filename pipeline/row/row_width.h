/* SPDX-License-Identifier: MIT */
/* Whether a row fits a page of PostgreSQL, which no sink of one source may see differently. */
#ifndef ROW_ROW_WIDTH_H
#define ROW_ROW_WIDTH_H

#include "pipeline/row/schema.h"

/* True if there can be rows that do not fit: only such tables need a look at each row. */
bool row_width_may_burst(const struct table *t);

/* Bytes the row takes at least, beside what the server can move out of it. */
size_t row_width_of(const struct table *t, const struct datum *cells);

enum { ROW_WIDTH_MAX = 8160 };

#endif
