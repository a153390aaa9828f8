/* SPDX-License-Identifier: MIT */
/*
 * What a backfill, its rehearsal and its verification begin with: the table is opened, the model is
 * compiled into a recipe, the write budget is set. backfill_job_release frees all of it.
 */
#ifndef CMD_OPEN_BACKFILL_JOB_H
#define CMD_OPEN_BACKFILL_JOB_H

#include "cmd/ending.h"
#include "cmd/open/job.h"
#include "cmd/print/backfill_progress.h"
#include "pipeline/source/table/scan.h"
#include "sinks/dynamodb/writer/write_pace.h"

struct backfill_job {
    const struct options *o; /* borrowed */
    struct ending *out;      /* borrowed */
    struct job job;
    struct recipe *recipe;
    struct write_pace pace;
    struct budget_limits limits; /* of writes, as the table says */
    struct budget writes;
    struct allowance rejects, unrouted;
    int64_t now_us;
    struct backfill_progress progress;
};

void backfill_job_init(struct backfill_job *b, const struct options *o, struct ending *out);
void backfill_job_release(struct backfill_job *b);

/* Reads the options and opens the table that the command line names. It writes nothing. */
enum rc backfill_job_table(struct backfill_job *b, struct err *err) MUST_CHECK;

/* Reads and compiles the model for that table; problems are printed. */
enum rc backfill_job_model(struct backfill_job *b, struct err *err) MUST_CHECK;

/* Gives the path of the state folder: --state, or the one named after the table. */
void backfill_job_dir(const struct backfill_job *b, char out[FS_PATH]);

/* Returns a setup of a pass that reads the whole table and writes nothing. */
struct fill_setup backfill_job_setup(struct backfill_job *b);

#endif
