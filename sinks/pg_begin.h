/* SPDX-License-Identifier: MIT */
/* Names of what stands in a run's staging schema beside the model's own tables. */
#ifndef SINKS_PG_BEGIN_H
#define SINKS_PG_BEGIN_H

#include "sinks/pg_run.h"

/* One row for each item: its position and its source key. */
#define PG_ITEMS STR("renorm:items")

/* Where the candidates of an extract go: all extracts into one table share theirs. */
struct pg_name pg_candidate_name(const struct schema *s, uint32_t extract);

/* True for the extract that stands for all of them. */
bool pg_extract_leads(const struct schema *s, uint32_t extract);

#endif
