/* SPDX-License-Identifier: MIT */
/*
 * The rows that a load with --duplicates first|last dropped: of the rows with one key all but the
 * first or the last, by the places that were noted, and whatever came with a dropped row below it.
 */
#ifndef COMPARE_LOST_ROWS_H
#define COMPARE_LOST_ROWS_H

#include "pipeline/compare/row_origin.h"

struct lost_rows;

/* Returns owned in *out. The origins were noted with places; all of it is borrowed for the call. */
enum rc lost_rows_find(const struct row_origins *origins, const struct schema *schema,
                       bool last, struct lost_rows **out, struct err *err) MUST_CHECK;
void lost_rows_free(struct lost_rows *l);

/* A table is read from its beginning: each lost row is met once more. */
void lost_rows_again(struct lost_rows *l);

/* Is this line of the table a lost row? Of equal lines as many as were dropped are. */
bool lost_rows_has(struct lost_rows *l, uint32_t table, struct str line);

#endif
