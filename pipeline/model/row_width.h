/* SPDX-License-Identifier: MIT */
/* Whether a row fits a page of PostgreSQL, which no sink of one source may see differently. */
#ifndef MODEL_ROW_WIDTH_H
#define MODEL_ROW_WIDTH_H

#include "pipeline/model/table.h"

/* True if there can be rows that do not fit: only such tables need a look at each row. */
bool table_may_burst(const struct table *t);

/* Bytes the row takes at least, beside what the server can move out of it. */
size_t table_row_width(const struct table *t, const struct datum *cells);

enum { ROW_WIDTH_MAX = 8160 };

#endif
