/* SPDX-License-Identifier: MIT */
/*
 * How fast a table may be written: the write budget's limits from what the operator said and
 * what the table can give. Units are those of the table; its indexes are not counted.
 */
#ifndef SINKS_DYNAMODB_WRITER_WRITE_PACE_H
#define SINKS_DYNAMODB_WRITER_WRITE_PACE_H

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/aws/dynamodb/describe.h"

enum write_pace_kind {
    WRITE_PACE_DEFAULT, /* half of what is provisioned; on demand: adaptive */
    WRITE_PACE_UNITS,   /* so many units a second */
    WRITE_PACE_MAX      /* all it can give */
};

struct write_pace {
    enum write_pace_kind kind;
    int64_t n;
};

struct budget_limits write_pace_limits(const struct write_pace *pace,
                                       const struct dynamodb_table *t);

#endif
