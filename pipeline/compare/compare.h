/* SPDX-License-Identifier: MIT */
/*
 * Compares a sink with a source. The source is exported once more, through the same plan and as
 * of the same moment, and the rows of both are compared. The comparison has no code of its own for
 * reducing extracts, casting values or writing rows: the fresh export does that as any export does.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "pipeline/compare/differences.h"

struct compare_setup {
    struct reexport source; /* name, origins, lost, last, fold and now_us are filled in here */
    struct rows_reader *sink; /* borrowed */
    const struct compare_report *report;
};

/*
 * Tells the report what it finds, and counts it in *out. Items of a live table may be written while
 * the comparison reads them, so the items of keys that differ are read a second time.
 */
enum rc compare_run(const struct compare_setup *setup, struct comparison *out,
                    struct err *err) MUST_CHECK;

#endif
