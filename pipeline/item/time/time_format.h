/* SPDX-License-Identifier: MIT */
/*
 * Patterns for texts that are not ISO 8601: "%d.%m.%Y %H:%M". All other characters stand for
 * themselves, and the text must be spelt as the pattern says from its first byte to its last.
 *
 *   %Y 4 digits   %y 2, of 1969 to 2068   %m %d %H %I %M %S 2 digits, with %-m.. 1 or 2
 *   %f 1 to 9 digits of a second   %b %B the month, %a %A the day of the week, in English
 *   %p AM or PM   %z Z, +HH, +HHMM or +HH:MM   %% itself
 */
#ifndef ITEM_TIME_TIME_FORMAT_H
#define ITEM_TIME_TIME_FORMAT_H

#include "pipeline/item/timestamp.h"

/* What a pattern speaks of. */
enum { TIME_FORMAT_CLOCK = 1, TIME_FORMAT_OFFSET = 2 };

/*
 * Is it a pattern, does it name one day, and a time without gaps? *what gets what it speaks of.
 * NULL, or what is wrong with it.
 */
const char *time_format_check(struct str pattern, unsigned *what);

/* Reads a text by a pattern that is one. False: it is not spelt so, or there is no such time. */
bool time_format_read(struct str pattern, struct str text, struct timestamp_text *out);

#endif
