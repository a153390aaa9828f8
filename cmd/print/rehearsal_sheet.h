/* SPDX-License-Identifier: MIT */
/* What a backfill would do, for people and as members of its summary. */
#ifndef CMD_PRINT_REHEARSAL_SHEET_H
#define CMD_PRINT_REHEARSAL_SHEET_H

#include "cmd/open/backfill_job.h"
#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/rehearsal/forecast.h"

/* All of it is borrowed. */
struct rehearsal_sheet {
    const struct backfill_job *job;
    struct rehearse *gathered;
    const struct forecast *forecast;
    enum dynamodb_pitr pitr;
};

void rehearsal_sheet_print(const struct rehearsal_sheet *s, struct buf *out);
void rehearsal_sheet_json(const struct forecast *f, struct buf *out);

#endif
