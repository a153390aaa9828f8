/* SPDX-License-Identifier: MIT */
/* What a model makes, for people: its tables with their columns, and its backfills. */
#ifndef CMD_PRINT_MODEL_TABLES_H
#define CMD_PRINT_MODEL_TABLES_H

#include "pipeline/plan/plan.h"

void model_tables_print(const struct plan *plan, struct buf *out);

/* Appends a line for each table. */
void model_tables_brief(const struct plan *plan, struct buf *out);

#endif
