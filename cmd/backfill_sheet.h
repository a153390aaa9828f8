/* SPDX-License-Identifier: MIT */
/* The balance sheet of a backfill, of its rehearsal and of an undo: for people and as JSON. */
#ifndef CMD_BACKFILL_SHEET_H
#define CMD_BACKFILL_SHEET_H

#include "pipeline/run/run.h"
#include "sinks/dynamodb/fill.h"

/* Items of that fate, over all entities. */
uint64_t backfill_count(const struct fill_result *r, enum fate fate);

/*
 * Items read = changed + already right + skipped + filtered + unrouted + changed by others +
 * failed; per entity; units. Rows of `r` are the entities of `m` and one more.
 */
void backfill_sheet_print(const struct model *m, const struct fill_result *r, struct buf *out);

/* The same as one JSON object. `rc` is how it ended; `extra` holds further members, or NULL. */
void backfill_sheet_json(const struct model *m, const struct fill_result *r, enum rc rc,
                         const char *extra, struct buf *out);

/* RC_SINK if the items do not add up. */
enum rc backfill_balance(const struct fill_result *r, struct err *err) MUST_CHECK;

/* That, and RC_FINISHED_BAD above an allowance. */
enum rc backfill_judge(const struct fill_result *r, const struct allowance *rejects,
                       const struct allowance *unrouted, struct err *err) MUST_CHECK;

void backfill_undo_print(const struct undo_result *r, struct buf *out);
void backfill_undo_json(const struct undo_result *r, enum rc rc, struct buf *out);

#endif
