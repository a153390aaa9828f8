/* SPDX-License-Identifier: MIT */
/* Two sides compared table by table, in bounded memory; differing keys are named. */
#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include "cmd/side.h"

struct comparison {
    uint64_t tables, rows, differing; /* differing: keys named, or more */
    bool quiet;
};

/* a is what the source says, b what the sink holds. Prints findings to standard output. */
enum rc compare_sides(const struct schema *schema, struct side *a, struct side *b,
                      struct comparison *out, struct err *err) MUST_CHECK;

#endif
