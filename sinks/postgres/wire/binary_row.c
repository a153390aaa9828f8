/* SPDX-License-Identifier: MIT */
/*
 * A whole row at once: the place to write to is kept at hand over all its cells, as every byte
 * written through a char pointer makes a compiler look at the buffer anew. Cells that most rows are
 * made of are written here; the others, and those for which the buffer must grow, by
 * pg_binary_cell.
 */
#include "sinks/postgres/wire/numeric.h"

static inline char *put_text(char *p, size_t room, struct str s)
{
    if (s.n > PG_FIELD_MAX || room < s.n + 4)
        return NULL;
    pg_binary_word(p, (uint32_t)s.n);
    return str_put(p + 4, s.p, s.n);
}

static inline char *put_numeric(char *p, size_t room, struct str digits)
{
    struct pg_short number;
    if (room < 4 + PG_SHORT_ROOM || !pg_short_read(&number, digits))
        return NULL;
    char *end = pg_short_put(p + 4, &number);
    pg_binary_word(p, (uint32_t)(end - p - 4));
    return end;
}

static inline char *put_int(char *p, size_t room, int64_t v)
{
    if (room < 8)
        return NULL;
    pg_binary_word(p, 4);
    pg_binary_word(p + 4, (uint32_t)(uint64_t)v);
    return p + 8;
}

static inline char *put_long(char *p, size_t room, int64_t v)
{
    if (room < 12)
        return NULL;
    pg_binary_word(p, 8);
    pg_binary_long(p + 4, (uint64_t)v);
    return p + 12;
}

static inline char *put_null(char *p, size_t room)
{
    if (room < 4)
        return NULL;
    pg_binary_word(p, UINT32_MAX);
    return p + 4;
}

/* Returns the place behind the cell; NULL, with nothing said, if it is not one of these. */
static inline char *put_cell(char *p, size_t room, enum col_type type, const struct datum *d)
{
    if (d->state != DATUM_VALUE)
        return put_null(p, room);
    if (type == COL_TEXT)
        return put_text(p, room, d->u.text);
    if (type == COL_NUMERIC)
        return put_numeric(p, room, d->u.text);
    if (type == COL_INTEGER)
        return put_int(p, room, d->u.i);
    if (type == COL_BIGINT)
        return put_long(p, room, d->u.i);
    if (type == COL_DATE)
        return put_int(p, room, d->u.i - PG_DAYS_TO_2000);
    return type == COL_TIMESTAMPTZ || type == COL_TIMESTAMP
               ? put_long(p, room, d->u.i - PG_US_TO_2000)
               : NULL;
}

enum rc pg_binary_cells(struct buf *b, const struct table *t, const struct datum *cells,
                        struct err *err)
{
    enum rc rc = RC_OK;
    uint32_t i = 0;
    while (i < t->ncolumns && !rc && !b->rc) {
        char *p = b->p + b->len, *end = b->p + b->cap, *next;
        while (i < t->ncolumns &&
               (next = put_cell(p, (size_t)(end - p), t->columns[i].type, &cells[i]))) {
            p = next;
            i++;
        }
        b->len = (size_t)(p - b->p);
        if (i < t->ncolumns)
            rc = pg_binary_cell(b, t->columns[i].type, &cells[i], err);
        if (rc)
            (void)err_context(err, "%.*s.%.*s", STR_FMT(t->name), STR_FMT(t->columns[i].name));
        i++;
    }
    return rc;
}
