/* SPDX-License-Identifier: MIT */
/*
 * What a backfill, its rehearsal and its verification begin with: the table opened, the model
 * compiled into a recipe, the write budget set. One owner: backfill_job_release frees it.
 */
#ifndef CMD_BACKFILL_JOB_H
#define CMD_BACKFILL_JOB_H

#include "cmd/backfill_progress.h"
#include "cmd/job.h"
#include "pipeline/source/scan.h"
#include "sinks/dynamodb/pace.h"

struct backfill_job {
    const struct options *o; /* borrowed */
    struct job job;
    struct recipe *recipe;
    struct write_pace pace;
    struct budget_limits limits; /* of writes, as the table says */
    struct budget writes;
    struct allowance rejects, unrouted;
    int64_t now_us;
    struct backfill_progress progress;
};

void backfill_job_init(struct backfill_job *b, const struct options *o);
void backfill_job_release(struct backfill_job *b);

/* Opens the table that the command line names, reads the options; nothing is touched. */
enum rc backfill_job_table(struct backfill_job *b, struct err *err) MUST_CHECK;

/* Reads and compiles the model for that table; problems are printed. */
enum rc backfill_job_model(struct backfill_job *b, struct err *err) MUST_CHECK;

/* The state folder: --state, or the one named after the table. */
void backfill_job_dir(const struct backfill_job *b, char out[FS_PATH]);

/* A setup that reads the whole table and writes nothing. */
struct fill_setup backfill_job_setup(struct backfill_job *b);

/* Writes --summary, where it is asked for. */
enum rc backfill_job_summary(const struct backfill_job *b, const struct buf *text,
                             struct err *err) MUST_CHECK;

#endif
