/* SPDX-License-Identifier: MIT */
/*
 * The rule that a zone follows after its last known transition, as POSIX writes it in TZ:
 * CET-1CEST,M3.5.0,M10.5.0/3. The names of the two times say nothing here.
 * https://datatracker.ietf.org/doc/html/rfc8536#section-3.3
 */
#ifndef ITEM_TIME_POSIX_RULE_H
#define ITEM_TIME_POSIX_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/str.h"

/* A day of each year and a time on it: Jn (1-365, never 29 February), n (0-365), Mm.w.d. */
struct posix_day {
    char form; /* 'J', 'N' or 'M' */
    int month, week, day;
    int32_t seconds; /* from midnight, of the time that ends then; may be below 0 */
};

struct posix_rule {
    int32_t standard, summer; /* seconds east of Greenwich */
    bool two;                 /* there is a summer time */
    struct posix_day begins, ends;
};

/* False: it is no such rule. */
bool posix_rule_parse(struct str text, struct posix_rule *out);

/* Seconds east of Greenwich at an instant. */
int32_t posix_rule_offset(const struct posix_rule *r, int64_t utc);

/* The first instant after that one at which the rule changes from one time to the other; false:
   it never does. */
bool posix_rule_next(const struct posix_rule *r, int64_t after, int64_t *out);

#endif
