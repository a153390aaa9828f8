/* SPDX-License-Identifier: MIT */
/* The balance sheet of a backfill, of its rehearsal and of an undo: for people and as JSON. */
#ifndef CMD_PRINT_BACKFILL_BALANCE_H
#define CMD_PRINT_BACKFILL_BALANCE_H

#include "cmd/print/metrics.h"
#include "sinks/dynamodb/fill/fill.h"

/*
 * Items read = changed + already right + skipped + filtered + unrouted + changed by others +
 * failed; per entity; units. Rows of `r` are the entities of `m` and one more.
 */
void backfill_balance_print(const struct model *m, const struct fill_result *r,
                            struct buf *out);

/* The same as members of a JSON object, a comma before each. `extra` holds further ones, or NULL. */
void backfill_balance_json(const struct model *m, const struct fill_result *r,
                           const char *extra, struct buf *out);

/* The same as gauges. */
void backfill_balance_metrics(const struct fill_result *r, struct metrics *out);

void backfill_undo_print(const struct undo_result *r, struct buf *out);
void backfill_undo_json(const struct undo_result *r, struct buf *out);
void backfill_undo_metrics(const struct undo_result *r, struct metrics *out);

#endif
