/* SPDX-License-Identifier: MIT */
/* Compares two readers of rows table by table, in bounded memory, and names keys that differ. */
#ifndef COMPARE_DIFFERENCES_H
#define COMPARE_DIFFERENCES_H

#include "pipeline/compare/recheck.h"
#include "pipeline/compare/report.h"
#include "pipeline/compare/rows_reader.h"

enum { COMPARE_NAMED = 20 }; /* so many keys of a table are named */

/* What was found. */
struct comparison {
    uint64_t tables, rows;       /* of the sink */
    uint64_t differing;          /* keys, tables and counts that differ */
    uint64_t changed;            /* keys whose items were written meanwhile */
    uint64_t rejected, unrouted; /* items of the source that became no rows */
};

struct compare_sides {
    const struct schema *schema;
    struct rows_reader *source; /* what the source says */
    struct rows_reader *sink;   /* what the sink holds */
    struct recheck *again;      /* takes keys that differ, to be read again; NULL: none are */
    const struct compare_report *report;
};

/* Adds to *out, and tells the report on the way. */
enum rc compare_sides(const struct compare_sides *sides, struct comparison *out,
                      struct err *err) MUST_CHECK;

/* What a difference between the source (side A) and the sink (side B) is called. */
enum compare_finding compare_finding_of(enum tally_finding what);

#endif
