/* SPDX-License-Identifier: MIT */
/* Names of what stands in a run's staging schema beside the model's own tables. */
#ifndef SINKS_POSTGRES_LEDGER_MAKE_RUN_H
#define SINKS_POSTGRES_LEDGER_MAKE_RUN_H

#include "sinks/postgres/postgres_private.h"

/* One row for each item: its position and its source key. A view of PG_KEYS; in runs that an earlier
   renorm began it is a table. */
#define PG_ITEMS STR("renorm:items")

/* Source keys as they were loaded: of many items in a row, since each row has its price. */
#define PG_KEYS STR("renorm:keys")

/* One row for each commit, name and type of attributes that went to `extra`. */
#define PG_EXTRAS STR("renorm:extra")

/* Where the candidates of an extract go: all extracts into one table share theirs. */
struct pg_name pg_candidate_name(const struct schema *s, uint32_t extract);

/* True for the extract that stands for all of them. */
bool pg_extract_leads(const struct schema *s, uint32_t extract);

/* The statements that make what a run of an earlier renorm has not: tables of what went to `extra`,
   and of source keys. */
void pg_extras_table(struct buf *b, const struct pg_run *r);
void pg_keys_table(struct buf *b, const struct pg_run *r);

#endif
