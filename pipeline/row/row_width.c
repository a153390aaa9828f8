/* SPDX-License-Identifier: MIT */
/*
 * The server keeps a row within one page of 8 kB. It moves long values of variable length out of
 * it and leaves a pointer of 18 bytes, but never those of up to 24 bytes, nor numbers and times.
 * What compression would save is not counted. A loaded row has its position as one more bigint.
 */
#include "pipeline/row/row_width.h"

#include "pipeline/item/cast/column_type.h"

enum { HEAD = 23, POINTER = 18, STAYS = 24, POSITION = 8, ALIGN = 8 };

static size_t aligned(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t head(const struct table *t, bool nulls)
{
    return aligned(HEAD + (nulls ? (t->ncolumns + 1 + 7) / 8 : 0), ALIGN);
}

bool row_width_may_burst(const struct table *t)
{
    size_t n = head(t, true);
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column_type *f = &column_types[t->columns[i].type];
        n = f->bytes ? aligned(n, f->align) + f->bytes : n + STAYS;
    }
    return aligned(n, ALIGN) + POSITION > ROW_WIDTH_MAX;
}

static size_t variable(const struct column_type *type, const struct datum *d)
{
    size_t n = type->stored(d);
    return n > STAYS ? POINTER : n;
}

size_t row_width_of(const struct table *t, const struct datum *cells)
{
    bool nulls = false;
    size_t n = 0; /* the header is a multiple of all alignments: added last */
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column_type *f = &column_types[t->columns[i].type];
        if (cells[i].state != DATUM_VALUE) {
            nulls = true;
        } else if (f->bytes) {
            n = aligned(n, f->align) + f->bytes;
        } else {
            n += variable(f, &cells[i]);
        }
    }
    return head(t, nulls) + aligned(n, ALIGN) + POSITION;
}
