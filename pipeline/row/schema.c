/* SPDX-License-Identifier: MIT */
/* A row as JSON: what is missing has no member, so that missing and null stay two things. */
#include "pipeline/row/schema.h"

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

/* The label and a text that stands for itself, in one piece; `quote` is 1 or 0 quotes wide. */
static inline void add_easy(struct buf *b, struct str label, struct str text, size_t quote)
{
    if (!buf_room(b, label.n + text.n + 2))
        return;
    char *to = str_put(b->p + b->len, label.p, label.n);
    *to = '"';
    to = str_put(to + quote, text.p, text.n);
    *to = '"';
    b->len = (size_t)(to + quote - b->p);
}

/* Most cells: true if it was one of them. */
static inline bool easy_cell(struct buf *b, const struct column *c, const struct datum *cell,
                             bool first)
{
    struct str label = str_from(c->label, c->label.n ? first : 0);
    if (label.n == 0 || cell->state != DATUM_VALUE)
        return false;
    if (c->type == COL_TEXT && cell->n == VAL_PLAIN) {
        add_easy(b, label, cell->u.text, 1);
    } else if (c->type == COL_NUMERIC) {
        add_easy(b, label, cell->u.text, 0);
    } else if (c->type == COL_BIGINT && cell->u.i >= 0 && cell->u.i < 10) {
        char digit = (char)('0' + cell->u.i);
        add_easy(b, label, str_make(&digit, 1), 0);
    } else {
        return false;
    }
    return true;
}

void schema_row_json(struct buf *b, const struct table *t, const struct datum *cells)
{
    bool first = true;
    buf_putc(b, '{');
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (cells[i].state == DATUM_MISSING)
            continue;
        if (!easy_cell(b, &t->columns[i], &cells[i], first)) {
            add_label(b, &t->columns[i], first);
            datum_json(b, t->columns[i].type, &cells[i]);
        }
        first = false;
    }
    buf_putc(b, '}');
}
