/* SPDX-License-Identifier: MIT */
/* A canonical row line (compact JSON, as table_row_json writes it) taken apart by its members. */
#ifndef CMD_LINE_H
#define CMD_LINE_H

#include "pipeline/model/table.h"

/* The next member of the object; *at starts at 0. False at the end. */
bool line_next(struct str line, size_t *at, struct str *name, struct str *value);

/* The key of the row, as tally wants it; a table without a key has the line itself. */
void line_key(const struct table *t, struct str line, struct buf *key);

/* The line without its null members: what PostgreSQL cannot tell from missing. */
void line_fold(struct str line, struct buf *out);

#endif
