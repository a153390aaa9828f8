/* SPDX-License-Identifier: MIT */
/*
 * Conditional writes, many in flight on one event loop. Jobs are offered to the writer, which takes
 * them or says why not now. A job that it took is journalled, sent when its intent is durable and the budget allows, repeated while its failure can heal, and settled by reading
 * the item when its condition fails. A key, a range of keys or a partition of an index that is
 * throttled holds back its own jobs only. What was taken and has no end is bounded, whatever it waits for.
 */
#ifndef SINKS_DYNAMODB_WRITER_WRITER_H
#define SINKS_DYNAMODB_WRITER_WRITER_H

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/aws/dynamodb/client.h"
#include "sinks/dynamodb/journal/journal.h"
#include "sinks/dynamodb/throttle/index.h"
#include "sinks/dynamodb/throttle/table.h"

struct writer;

/* One item to be written. Belongs to whoever offers it; stays in place until `done`. */
struct write_job {
    struct str key;       /* JSON object */
    uint64_t partition;   /* hash of the partition key's value */
    struct change change; /* what was computed */
    uint64_t units;       /* of the table, that it will cost; 0: by the sizes in `change` */
    void *owner;          /* for whoever offers it */
    uint32_t segment;
    uint32_t range; /* segment of the scan that it was read in: keys that lie close together */
    bool unclear;   /* an attempt, of this process or an earlier one, may have been applied */
    /* the end, set by the writer */
    enum fate fate;
    struct fault why; /* conflicted, failed, or as recomputed */
    /* the writer's own */
    uint64_t intent;
    uint32_t tries; /* conditions that failed */
    bool applied;   /* an earlier intent of this job was; what is to be written now is more */
    bool look;      /* the next request reads the item */
    bool repeat;    /* of a request that failed */
    struct retry_op retry;
    uint64_t ticket, pass; /* of its range and of the table, see range.h */
    struct index_turn turn;
    int64_t due_us;
    struct write_job *next;
};

/* What a writer answers to a job that it is offered. */
enum writer_answer {
    WRITER_TAKEN,
    WRITER_HELD, /* not this job now, for its key or its index is throttled; others may go */
    WRITER_FULL /* no job at all now: no room, the table is throttled, or the writer has failed */
};

/* What becomes of jobs that were taken. */
struct writer_ops {
    /* This job has to wait, for a failure or a throttle; it may be long. May be NULL. */
    void (*slow)(void *ctx, struct write_job *job);
    /* The item as it is now, after a failed condition: compute again into job->change (which
     * must live as long as the job). The new fate is returned by *fate. item->n == 0: gone. */
    enum rc (*again)(void *ctx, struct write_job *job, const struct item *item, enum fate *fate,
                     struct err *err);
    /* The job has its end. The journal has its outcome. */
    void (*done)(void *ctx, struct write_job *job);
};

/* What all writers of a run share. */
struct write_shared {
    struct dynamodb *ddb;
    struct budget *reads, *writes;
    struct str table, pk;               /* names */
    const struct dynamodb_table *facts; /* for its indexes; may be NULL */
    const struct env *env;
    struct throttle_table pace; /* of all writers: the pace of a table that is throttled */
    pthread_mutex_t mu;
    int64_t table_units, index_units; /* lock: mu. Consumed, in millionths */
    uint64_t sent, conflicts;         /* lock: mu */
    uint64_t refused, applied; /* lock: mu. validation errors, successes: to stop early */
};
void writer_shared_init(struct write_shared *s);
void writer_shared_release(struct write_shared *s);

struct writer_config {
    struct write_shared *shared;
    struct http_loop *loop;
    struct journal *journal;
    uint32_t in_flight;
    uint32_t max_tries; /* recomputations of one item */
    bool in_order;      /* jobs cannot give way to one another: none is held */
    const struct writer_ops *ops;
    void *ctx;
};

/* thread: worker, as all below. */
enum rc writer_new(const struct writer_config *config, struct writer **out,
                   struct err *err) MUST_CHECK;
void writer_free(struct writer *w);

/* Offers a job. One that is not taken stays with the caller, who may offer it again later. Calls
 * nobody back. */
enum writer_answer writer_offer(struct writer *w, struct write_job *job);

/* Syncs the journal and sends what it can; to be called after every round of offers. RC_OK, or the
 * run must end. `stop`: forgets, without `done`, those that are not in flight. */
enum rc writer_step(struct writer *w, bool stop, struct err *err) MUST_CHECK;

/* May any job of this range be offered? */
bool writer_range_open(const struct writer *w, uint32_t range);

/* How many jobs the writer has under way at most. */
uint32_t writer_room(const struct writer *w);

/* Jobs taken and not done. */
uint32_t writer_pending(const struct writer *w);

/* When writer_step wants to be called at the latest (monotonic); INT64_MAX: only by events. */
int64_t writer_due(const struct writer *w);

#endif
