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

/* A text as it stands: what it says, and what it leaves open. */
struct timestamp_text {
    int64_t days;  /* since 1970-01-01 */
    int64_t clock; /* microseconds of the day; 0 without a time */
    int64_t east;  /* microseconds east of Greenwich, if it has an offset */
    bool has_clock, has_offset;
    bool cut; /* digits below a microsecond were not zero */
};

/* As timestamp_parse_stamp; the offset, or the time with the offset, may be missing. */
bool timestamp_parse_text(struct str s, struct timestamp_text *out);

/* The microseconds since 1970 of what it says, whatever its offset. */
int64_t timestamp_text_us(const struct timestamp_text *t);

/* Takes an offset (Z, +HH, +HHMM or +HH:MM), or 1 to 9 digits of a fraction, off the front. */
bool timestamp_take_offset(struct str *s, int64_t *us);
bool timestamp_take_fraction(struct str *s, int64_t *us, bool *cut);

/* Days since 1970-01-01 of a day that is there, the days of a month, the year of a day. */
int64_t timestamp_day(int64_t y, int64_t m, int64_t d);
int64_t timestamp_month_days(int64_t y, int64_t m);
int64_t timestamp_year(int64_t days);

/* The instant lies in years 1 to 9999. */
bool timestamp_in_range(int64_t us);

/* YYYY-MM-DD; outside years 1 to 9999, where no item is but a database may be, "day N". */
void timestamp_add_date(struct buf *b, int64_t days);

/* YYYY-MM-DDTHH:MM:SS[.ffffff]Z without trailing zeros; outside those years "us N". */
void timestamp_add_stamp(struct buf *b, int64_t us);

/* The same without the Z: a time that clocks show somewhere. */
void timestamp_add_local(struct buf *b, int64_t us);

#endif
