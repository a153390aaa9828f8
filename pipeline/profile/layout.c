/* SPDX-License-Identifier: MIT */
/* Everything follows from the schema's own order and the table of column types. */
#include "pipeline/profile/layout.h"

#include <stdlib.h>

#include "pipeline/item/cast/column_type.h"

#define KIND(kind) (1u << (kind))

bool profile_layout_counts(enum col_type type, enum val_kind kind)
{
    return kind == VAL_NULL || (column_types[type].kinds & KIND(kind)) != 0;
}

static unsigned kinds_of(const struct column *c)
{
    unsigned more = c->type == COL_TEXT ? KIND(VAL_BOOL) : KIND(VAL_NS);
    if (c->extra)
        return KIND(VAL_M);
    return column_types[c->type].kinds | KIND(VAL_NULL) | (c->mixed ? more : 0);
}

/* Lays the counters of one column from `next` on. Kinds that cannot be share the first one. */
static uint32_t lay_cell(const struct column *c, uint32_t next, struct profile_cell *cell)
{
    unsigned kinds = kinds_of(c);
    uint8_t n = 0;
    if (cell)
        *cell = (struct profile_cell){.first = next};
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
        bool counted = (kinds & KIND(k)) != 0;
        if (cell && counted)
            cell->at[k] = n;
        n += counted;
    }
    return next + n;
}

static uint32_t lay_cells(const struct schema *s, uint32_t next, struct profile_cell *cells)
{
    for (uint32_t t = 0; t < s->ntables; t++) {
        for (uint32_t c = 0; c < s->tables[t].ncolumns; c++)
            next = lay_cell(&s->tables[t].columns[c], next, cells ? cells++ : NULL);
    }
    return next;
}

uint32_t profile_layout_size(const struct schema *s)
{
    return lay_cells(s, 1 + s->nentities + s->nstages + s->ntables, NULL);
}

enum rc profile_layout_init(struct profile_layout *l, const struct schema *s)
{
    *l = (struct profile_layout){.schema = s};
    size_t columns = 0;
    l->first = calloc((size_t)s->ntables + 1, sizeof *l->first);
    for (uint32_t t = 0; l->first && t < s->ntables; t++) {
        l->first[t] = (uint32_t)columns;
        columns += s->tables[t].ncolumns;
    }
    l->cells = calloc(columns + 1, sizeof *l->cells);
    if (!l->first || !l->cells) {
        profile_layout_release(l);
        return RC_NOMEM;
    }
    l->looked = CNT_FIXED + s->ntables + s->nnotes;
    l->entities = l->looked + 1;
    l->stages = l->entities + s->nentities;
    l->copies = l->stages + s->nstages;
    (void)lay_cells(s, l->copies + s->ntables, l->cells);
    return RC_OK;
}

void profile_layout_release(struct profile_layout *l)
{
    free(l->first);
    free(l->cells);
    *l = (struct profile_layout){0};
}

void profile_layout_count(const struct profile_layout *l, uint32_t entity,
                          const struct row *rows, size_t n, uint64_t *counters)
{
    counters[l->looked]++;
    counters[l->entities + entity]++;
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows[i];
        const struct profile_cell *cell = &l->cells[l->first[row->table]];
        uint32_t columns = l->schema->tables[row->table].ncolumns;
        if (row->extract == UINT32_MAX) {
            counters[CNT_FIXED + row->table]++;
        } else {
            counters[l->copies + row->table]++;
        }
        for (uint32_t c = 0; c < columns; c++) {
            if (row->cells[c].kind)
                counters[profile_cell_at(&cell[c], row->cells[c].kind)]++;
        }
    }
}
