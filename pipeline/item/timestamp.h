/* SPDX-License-Identifier: MIT */
/* Dates and timestamps of years 1 to 9999, proleptic Gregorian, UTC. */
#ifndef ITEM_TIMESTAMP_H
#define ITEM_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/str.h"

/* YYYY-MM-DD to days since 1970-01-01. */
bool timestamp_parse_date(struct str s, int64_t *days);

/*
 * ISO 8601 (YYYY-MM-DD, T or a blank, HH:MM[:SS[.f]]) with Z or any offset (+HH, +HHMM, +HH:MM)
 * and up to 9 fraction digits; *cut is set when digits below a microsecond were not zero (the
 * result then is the microsecond before). A missing offset is refused.
 */
bool timestamp_parse_stamp(struct str s, int64_t *us, bool *cut);

/* The instant lies in years 1 to 9999. */
bool timestamp_in_range(int64_t us);

/* YYYY-MM-DD; outside years 1 to 9999, where no item is but a database may be, "day N". */
void timestamp_add_date(struct buf *b, int64_t days);

/* YYYY-MM-DDTHH:MM:SS[.ffffff]Z without trailing zeros; outside those years "us N". */
void timestamp_add_stamp(struct buf *b, int64_t us);

#endif
