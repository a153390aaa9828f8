/* SPDX-License-Identifier: MIT */
/* Two sides compared table by table, in bounded memory; differing keys are named. */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include "cmd/side.h"
#include "pipeline/run/tally.h"

struct recheck;

enum { COMPARE_NAMED = 20 }; /* keys named of a table */

struct comparison {
    uint64_t tables, rows, differing; /* differing: keys named, or more */
    uint64_t changed;                 /* rows whose items are being written */
    uint64_t rejected, unrouted;      /* of the source: items that became no rows */
    bool quiet;
    struct recheck *again; /* keeps what differs, to be read again; NULL: at rest, it differs */
};

/* a is what the source says, b what the sink holds. Prints findings to standard output. */
enum rc compare_sides(const struct schema *schema, struct side *a, struct side *b,
                      struct comparison *out, struct err *err) MUST_CHECK;

/* Prints a key of a table, and what is the matter with it. */
void compare_name(const struct table *t, struct str key, const char *what);
const char *compare_word(enum tally_finding what);

#endif
