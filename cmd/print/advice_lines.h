/* SPDX-License-Identifier: MIT */
/*
 * Advice as lines: one for each entity and kind, with counts and one example; in brief one for each
 * kind. What a backfill could do stands apart, behind all else.
 */
#ifndef CMD_PRINT_ADVICE_LINES_H
#define CMD_PRINT_ADVICE_LINES_H

#include "pipeline/plan/plan.h"
#include "pipeline/transform/index_attributes.h"
#include "pipeline/transform/key_doubts.h"

struct advice_style {
    bool brief;
    bool no_examples;
};

/* Advice that needs no items. Without the key of the table nobody can say which attributes must not
   be left out. */
void advice_lines_model(const struct plan *plan, const struct advice_style *how,
                        struct buf *out);

/* What the items tell. */
void advice_lines_items(const struct plan *plan, const struct index_attributes *seen,
                        const struct key_doubts *doubts, const struct advice_style *how,
                        struct buf *out);

#endif
