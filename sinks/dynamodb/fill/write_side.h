/* SPDX-License-Identifier: MIT */
/*
 * What a worker writes with, of a backfill or an undo: its journal and its writer, which are opened,
 * moved, waited for and closed together. Whoever has it offers jobs to the writer before each step.
 */
#ifndef SINKS_DYNAMODB_FILL_WRITE_SIDE_H
#define SINKS_DYNAMODB_FILL_WRITE_SIDE_H

#include "pipeline/run/task.h"
#include "sinks/dynamodb/fill/fill.h"
#include "sinks/dynamodb/writer/writer.h"

struct write_side {
    struct journal *journal;
    struct writer *writer;
    struct err err; /* found inside a callback of the writer: the next step returns it */
};

/* Of a worker: its number, its reader, whose event loop carries the writes, and the rest is the
 * writer's, see there. Borrows all. */
struct write_side_config {
    const struct fill_setup *setup;
    struct write_shared *shared;
    struct reader *reader;
    uint32_t index;
    bool in_order;
    const struct writer_ops *ops;
    void *ctx;
};

/* What the writers of a pass share, from its setup; writer_shared_release frees it. */
void write_side_shared(struct write_shared *w, const struct fill_setup *setup);

/* thread: main, as close. write_side_close frees what was made even if this fails. */
enum rc write_side_open(struct write_side *s, const struct write_side_config *config,
                        struct err *err) MUST_CHECK;
void write_side_close(struct write_side *s);

/* thread: worker, as all below. A callback has failed; the first error stays. */
void write_side_fail(struct write_side *s, const struct err *err);

/*
 * The step of a task's worker. `more`: there are jobs that were not taken yet, so it is not idle
 * even if the writer is. When nothing is left to be done the journal is on disk.
 */
enum rc write_side_step(struct write_side *s, enum task_phase phase, bool more,
                        enum task_state *state, struct err *err) MUST_CHECK;

/* For the operation of the same name of a task's worker. */
size_t write_side_fds(const struct write_side *s, struct pollfd *fds, size_t cap);

/* In this phase no new work is begun. */
static inline bool write_side_stops(enum task_phase phase)
{
    return phase == TASK_STOPPING || phase == TASK_FAILED;
}

#endif
