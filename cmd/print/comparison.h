/* SPDX-License-Identifier: MIT */
/* What verify finds, for people and, at the end, for programs. */
#ifndef CMD_PRINT_COMPARISON_H
#define CMD_PRINT_COMPARISON_H

#include "cmd/print/metrics.h"
#include "pipeline/compare/differences.h"

/* Returns a report that prints findings to standard output; quiet: without a line per table. */
struct compare_report comparison_report(bool quiet);

/* Prints the closing line of a comparison in which nothing differs. */
void comparison_print(const struct comparison *found);

/* Appends the same as members of a JSON object, a comma before each. */
void comparison_json(struct buf *out, const struct comparison *found);

/* The same as gauges. */
void comparison_metrics(struct metrics *out, const struct comparison *found);

#endif
