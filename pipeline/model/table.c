/* SPDX-License-Identifier: MIT */
/* A row as JSON: what is missing has no member, so that missing and null stay two things. */
#include "pipeline/model/table.h"

#include "pipeline/base/json.h"

void table_row_json(struct buf *b, const struct table *t, const struct datum *cells)
{
    bool first = true;
    buf_putc(b, '{');
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (cells[i].state == DATUM_MISSING)
            continue;
        if (!first)
            buf_putc(b, ',');
        first = false;
        json_add_string(b, t->columns[i].name);
        buf_putc(b, ':');
        datum_json(b, t->columns[i].type, &cells[i]);
    }
    buf_putc(b, '}');
}
