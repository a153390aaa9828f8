/* SPDX-License-Identifier: MIT */
/* Cells as JSON text, and the order of two cells: here what has no value, the rest by the type. */
#include "pipeline/item/datum.h"

#include "pipeline/item/cast/column_type.h"

void datum_json(struct buf *b, enum col_type type, const struct datum *d)
{
    if (d->state != DATUM_VALUE) {
        buf_add(b, "null", 4);
        return;
    }
    column_types[type].json(b, type, d);
}

int datum_cmp(enum col_type type, const struct datum *a, const struct datum *b)
{
    if (a->state != b->state || a->state != DATUM_VALUE)
        return (a->state > b->state) - (a->state < b->state);
    return column_types[type].cmp(type, a, b);
}
