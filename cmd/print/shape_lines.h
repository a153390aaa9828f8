/* SPDX-License-Identifier: MIT */
/* The shape of the data, for people. */
#ifndef CMD_PRINT_SHAPE_LINES_H
#define CMD_PRINT_SHAPE_LINES_H

#include "pipeline/profile/shape_report.h"

/* Appends the columns that some rows fill and others do not, then what is worth a look. */
void shape_lines(const struct profile *p, struct buf *out);

#endif
