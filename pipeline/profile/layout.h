/* SPDX-License-Identifier: MIT */
/*
 * Where the counters of the data's shape stand among those of a segment, so that they are
 * committed, resumed and summed like all others: items looked at, items of each entity, items in
 * which a stage found an attribute it names, copies for each table, and for each column cells by
 * the DynamoDB type of their value. A column counts the types that its cast takes, and NULL.
 */
#ifndef PROFILE_LAYOUT_H
#define PROFILE_LAYOUT_H

#include "pipeline/base/err.h"
#include "pipeline/row/schema.h"

enum { PROFILE_KINDS = VAL_BS + 1 };

/* Which counters, from the first of its segment on; small, since every row needs some. */
struct profile_cell {
    uint32_t first;
    uint8_t at[PROFILE_KINDS]; /* by kind: which of those from `first` on */
};

struct profile_layout {
    const struct schema *schema;       /* borrowed */
    uint32_t looked;                   /* items that were routed and looked at */
    uint32_t entities, stages, copies; /* the first of each; one per entity, stage, table */
    struct profile_cell *cells;        /* one per column, table after table */
    uint32_t *first;                   /* by table: the cell of its first column */
};

static inline uint32_t profile_cell_at(const struct profile_cell *c, enum val_kind kind)
{
    return c->first + c->at[kind];
}

/* How many counters a schema needs: its `nprofile`. */
uint32_t profile_layout_size(const struct schema *s);

/* RC_NOMEM or RC_OK. */
enum rc profile_layout_init(struct profile_layout *l, const struct schema *s) MUST_CHECK;
void profile_layout_release(struct profile_layout *l);

/* Does a cell of this type count values of the kind apart? */
bool profile_layout_counts(enum col_type type, enum val_kind kind);

/* thread: any. Counts the rows that an item of the entity became. */
void profile_layout_count(const struct profile_layout *l, uint32_t entity,
                          const struct row *rows, size_t n, uint64_t *counters);

#endif
