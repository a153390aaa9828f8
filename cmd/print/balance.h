/* SPDX-License-Identifier: MIT */
/* The balance sheet of a run, for people and as JSON. */
#ifndef CMD_PRINT_BALANCE_H
#define CMD_PRINT_BALANCE_H

#include "cmd/print/metrics.h"
#include "pipeline/run/run.h"

/*
 * Items read = routed + filtered + unrouted + rejected; then rows of each table, what was counted
 * on the way, and reasons.
 */
void balance_print(const struct schema *schema, const struct run_result *r, struct buf *out);

/* The same as members of a JSON object, a comma before each. */
void balance_json(const struct schema *schema, const struct run_result *r, struct buf *out);

/* The same as gauges. */
void balance_metrics(const struct schema *schema, const struct run_result *r,
                     struct metrics *out);

#endif
