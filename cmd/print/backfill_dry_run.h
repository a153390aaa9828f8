/* SPDX-License-Identifier: MIT */
/* What a backfill would do, for people and as members of its summary. */
#ifndef CMD_PRINT_BACKFILL_DRY_RUN_H
#define CMD_PRINT_BACKFILL_DRY_RUN_H

#include "cmd/open/backfill_job.h"
#include "pipeline/aws/dynamodb/describe.h"
#include "sinks/dynamodb/rehearsal/forecast.h"

/* All of it is borrowed. */
struct backfill_dry_run {
    const struct backfill_job *job;
    struct rehearse *gathered;
    const struct forecast *forecast;
    enum dynamodb_pitr pitr;
};

void backfill_dry_run_print(const struct backfill_dry_run *s, struct buf *out);
void backfill_dry_run_json(const struct forecast *f, struct buf *out);

#endif
