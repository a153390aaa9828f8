/* SPDX-License-Identifier: MIT */
/*
 * The server keeps a row within one page of 8 kB. It moves long values of variable length out of
 * it and leaves a pointer of 18 bytes, but never those of up to 24 bytes, nor numbers and times.
 * What compression would save is not counted. A loaded row has its position as one more bigint.
 */
#include "pipeline/model/row_width.h"

enum { HEAD = 23, POINTER = 18, STAYS = 24, POSITION = 8, ALIGN = 8 };

/* Bytes, and how they are aligned; 0: of variable length. */
static const struct fixed {
    size_t bytes, align;
} FIXED[COL_TYPES] = {[COL_INTEGER] = {4, 4}, [COL_BIGINT] = {8, 8}, [COL_DOUBLE] = {8, 8},
                      [COL_BOOLEAN] = {1, 1}, [COL_DATE] = {4, 4},   [COL_TIMESTAMPTZ] = {8, 8},
                      [COL_UUID] = {16, 1}};

static size_t aligned(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t head(const struct table *t, bool nulls)
{
    return aligned(HEAD + (nulls ? (t->ncolumns + 1 + 7) / 8 : 0), ALIGN);
}

bool table_may_burst(const struct table *t)
{
    size_t n = head(t, true);
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct fixed *f = &FIXED[t->columns[i].type];
        n = f->bytes ? aligned(n, f->align) + f->bytes : n + STAYS;
    }
    return aligned(n, ALIGN) + POSITION > ROW_WIDTH_MAX;
}

/* With its header of one byte, where it is short enough to have such a one. */
static size_t variable(enum col_type type, const struct datum *d)
{
    enum { NUMERIC_HEAD = 4, ARRAY_EMPTY = 13, JSON_SHORT = 5, JSON_SMALL = 9 };
    size_t n = POINTER;
    if (type == COL_TEXT || type == COL_BYTEA) {
        n = d->u.text.n + 1;
    } else if (type == COL_NUMERIC) { /* two bytes for each four digits */
        n = 1 + NUMERIC_HEAD + 2 * ((d->u.text.n + 6) / 4);
    } else if (type == COL_JSONB && d->u.text.n <= JSON_SHORT) {
        n = JSON_SMALL;
    } else if (type != COL_JSONB && d->n == 0) {
        n = ARRAY_EMPTY;
    }
    return n > STAYS ? POINTER : n;
}

size_t table_row_width(const struct table *t, const struct datum *cells)
{
    bool nulls = false;
    size_t n = 0; /* the header is a multiple of all alignments: added last */
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct fixed *f = &FIXED[t->columns[i].type];
        if (cells[i].state != DATUM_VALUE) {
            nulls = true;
        } else if (f->bytes) {
            n = aligned(n, f->align) + f->bytes;
        } else {
            n += variable(t->columns[i].type, &cells[i]);
        }
    }
    return head(t, nulls) + aligned(n, ALIGN) + POSITION;
}
