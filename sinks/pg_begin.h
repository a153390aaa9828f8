/* SPDX-License-Identifier: MIT */
/* Names of what stands in a run's staging schema beside the model's own tables. */
#ifndef SINKS_PG_BEGIN_H
#define SINKS_PG_BEGIN_H

#include "sinks/pg_run.h"

/* One row for each item: its position and its source key. */
#define PG_ITEMS STR("renorm:items")

/* The candidates of an extract. */
void pg_candidate_name(uint32_t extract, struct pg_name *out);

#endif
