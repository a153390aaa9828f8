/* SPDX-License-Identifier: MIT */
/*
 * A candidate of an extract as bytes: key, source key, order value and the cells it has, each
 * cell as its canonical JSON text. So candidates can be stored, sent and compared without
 * their types.
 */
#ifndef ROW_REDUCE_CANDIDATE_H
#define ROW_REDUCE_CANDIDATE_H

#include "pipeline/row/schema.h"

enum candidate_order { ORDER_NONE = 0, ORDER_TEXT, ORDER_NUMBER };

struct candidate {
    struct str key; /* candidate_key_* */
    struct str source;
    struct str order;
    enum candidate_order order_kind;
    uint32_t ncells;
    struct str cells; /* candidate_cell walks them */
};

/* Appends one record: its length as 4 bytes, then candidate_decode's input. */
void candidate_encode(struct buf *b, const struct table *into, const struct extract *ex,
                      const struct row *row);

/* Views into `bytes`; false if they are no candidate. */
bool candidate_decode(struct str bytes, struct candidate *out);

/* The next cell (column of the table, JSON text); *at starts at 0. False at the end. */
bool candidate_cell(const struct candidate *c, size_t *at, uint32_t *column, struct str *json);

/* A key is the JSON texts of its cells, each with its length before it. */
void candidate_key_add(struct buf *b, struct str json);
bool candidate_key_next(struct str key, size_t *at, struct str *json);

#endif
