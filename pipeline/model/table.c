/* SPDX-License-Identifier: MIT */
/* A row as JSON: what is missing has no member, so that missing and null stay two things. */
#include "pipeline/model/table.h"

#include "pipeline/base/json.h"

static void add_label(struct buf *b, const struct column *c, bool first)
{
    if (c->label.n) {
        buf_add_str(b, str_from(c->label, first));
        return;
    }
    if (!first)
        buf_putc(b, ',');
    json_add_string(b, c->name);
    buf_putc(b, ':');
}

void table_row_json(struct buf *b, const struct table *t, const struct datum *cells)
{
    bool first = true;
    buf_putc(b, '{');
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (cells[i].state == DATUM_MISSING)
            continue;
        add_label(b, &t->columns[i], first);
        first = false;
        datum_json(b, t->columns[i].type, &cells[i]);
    }
    buf_putc(b, '}');
}
