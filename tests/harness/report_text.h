/* SPDX-License-Identifier: MIT */
/* A report of a comparison as text, one line for each call: what a test expects of it. */
#ifndef HARNESS_REPORT_TEXT_H
#define HARNESS_REPORT_TEXT_H

#include "pipeline/compare/report.h"

struct report_text {
    char text[4096];
};

/* Borrows `t` and empties it. `tables`: tables that were read have a line, too. */
struct compare_report report_text(struct report_text *t, bool tables);

#endif
