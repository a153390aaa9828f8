/* SPDX-License-Identifier: MIT */
/*
 * Does an index attribute that is left out say something that no row of its item says? Its text is
 * cut where it is neither letter nor digit. A piece without a digit is taken for a literal; every
 * other one must be, or begin, the text of a cell.
 */
#ifndef TRANSFORM_LEFT_OUT_H
#define TRANSFORM_LEFT_OUT_H

#include "pipeline/plan/shape.h"
#include "pipeline/row/note_examples.h"

/* The rows of an item. */
struct left_out_rows {
    const struct schema *schema;
    const struct row *v;
    size_t n;
};

/* thread: worker. */
bool left_out_is_said(const struct val *v, const struct left_out_rows *rows);

/* Counts those of notes->left that say what no row of the item says. An example goes to `examples`,
   unless that is NULL; `text` is scratch. thread: worker. RC_OK or RC_NOMEM. */
enum rc left_out_tell(const struct left_out_rows *rows, struct notes *notes, uint32_t note,
                      struct note_examples *examples, struct buf *text) MUST_CHECK;

#endif
