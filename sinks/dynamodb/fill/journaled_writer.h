/* SPDX-License-Identifier: MIT */
/*
 * What a worker writes with, of a backfill or an undo: its journal and its writer, which are opened,
 * moved, waited for and closed together. Whoever has it offers jobs to the writer before each step.
 */
#ifndef SINKS_DYNAMODB_FILL_JOURNALED_WRITER_H
#define SINKS_DYNAMODB_FILL_JOURNALED_WRITER_H

#include "pipeline/run/task.h"
#include "sinks/dynamodb/fill/fill.h"
#include "sinks/dynamodb/writer/writer.h"

struct journaled_writer {
    struct journal *journal;
    struct writer *writer;
    struct err err; /* found inside a callback of the writer: the next step returns it */
};

/* Of a worker: its number, its reader, whose event loop carries the writes, and the rest is the
 * writer's, see there. Borrows all. */
struct journaled_writer_config {
    const struct fill_setup *setup;
    struct write_shared *shared;
    struct reader *reader;
    uint32_t index;
    bool in_order;
    const struct writer_ops *ops;
    void *ctx;
};

/* What the writers of a pass share, from its setup; writer_shared_release frees it. */
void journaled_writer_shared(struct write_shared *w, const struct fill_setup *setup);

/* thread: main, as close. journaled_writer_close frees what was made even if this fails. */
enum rc journaled_writer_open(struct journaled_writer *s,
                              const struct journaled_writer_config *config,
                              struct err *err) MUST_CHECK;
void journaled_writer_close(struct journaled_writer *s);

/* thread: worker, as all below. A callback has failed; the first error stays. */
void journaled_writer_fail(struct journaled_writer *s, const struct err *err);

/*
 * The step of a task's worker. `more`: there are jobs that were not taken yet, so it is not idle
 * even if the writer is. When nothing is left to be done the journal is on disk.
 */
enum rc journaled_writer_step(struct journaled_writer *s, enum task_phase phase, bool more,
                              enum task_state *state, struct err *err) MUST_CHECK;

/* For the operation of the same name of a task's worker. */
size_t journaled_writer_fds(const struct journaled_writer *s, struct pollfd *fds, size_t cap);

/* In this phase no new work is begun. */
static inline bool journaled_writer_stops(enum task_phase phase)
{
    return phase == TASK_STOPPING || phase == TASK_FAILED;
}

#endif
