/* SPDX-License-Identifier: MIT */
/*
 * What the files of a backfill share: the task, and its worker with journal, writer and the pages
 * it has in work.
 */
#ifndef SINKS_DYNAMODB_FILL_FILL_PRIVATE_H
#define SINKS_DYNAMODB_FILL_FILL_PRIVATE_H

#include "pipeline/base/map.h"
#include "pipeline/run/model_fit.h"
#include "sinks/dynamodb/fill/apply_recipe.h"
#include "sinks/dynamodb/fill/fate_counts.h"
#include "sinks/dynamodb/fill/journaled_writer.h"
#include "sinks/dynamodb/writer/turns.h"

/* A pass that writes. */
struct fill_task {
    struct task task; /* first */
    const struct fill_setup *setup;
    const struct dynamodb_table *table; /* as the scan was opened on it */
    struct write_shared write;
    struct resume_point resumed; /* of a resumed pass; read only */
    struct map mine;  /* key text to the last intent of earlier processes; read only */
    uint32_t *before; /* by intent: the one before it of the same key, or UINT32_MAX */
    bool *met;        /* by intent: its item was read again. One segment, one worker */
    struct fate_counts counts;
    struct model_fit fit; /* bad are those that failed or are unrouted */
    struct fill_result *out;
};

struct fill_work; /* a page in work */

struct fill_worker {
    struct task_worker base; /* first */
    struct fill_task *fill;
    uint32_t index;
    struct journaled_writer side;
    struct apply_recipe recipe;
    struct fill_work *works; /* one for every segment that is started at once */
    uint32_t nworks;
    struct turns turns; /* its places are the works */
};

/* thread: main. Makes a worker of the task; borrows the reader. Returns owned, or NULL. */
struct task_worker *fill_worker_new(struct task *task, struct reader *reader, uint32_t index,
                                    struct err *err);

/* The end of a pass that scanned the table: interrupted, or the table asked whether it is still
 * the one that was opened. */
enum rc fill_scanned(const struct fill_setup *setup, enum rc rc, bool stopped,
                     struct err *err) MUST_CHECK;

#endif
