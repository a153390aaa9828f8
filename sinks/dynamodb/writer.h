/* SPDX-License-Identifier: MIT */
/*
 * Conditional writes, many in flight on one event loop. A job is journalled, sent when its intent
 * is durable and the budget allows, repeated while its failure can heal, and settled by reading
 * the item when its condition fails. A key, a range of keys or a partition of an index that is
 * throttled holds back its own jobs only. What was taken and has no end is bounded, whatever it waits for.
 */
#ifndef DYNAMODB_WRITER_H
#define DYNAMODB_WRITER_H

#include "pipeline/aws/budget.h"
#include "pipeline/aws/ddb.h"
#include "sinks/dynamodb/crowd.h"
#include "sinks/dynamodb/index_brake.h"
#include "sinks/dynamodb/journal.h"

struct writer;

/* One item to be written. Belongs to the feeder; stays in place until `done`. */
struct write_job {
    struct str key;       /* JSON object */
    uint64_t partition;   /* hash of the partition key's value */
    struct change change; /* what was computed */
    uint64_t units;       /* of the table, that it will cost; 0: by the sizes in `change` */
    void *owner;          /* the feeder's */
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
    uint64_t ticket, pass; /* of its range and of the table, see brake.h */
    struct index_turn turn;
    int64_t due_us;
    struct write_job *next;
};

struct writer_ops {
    /* The next job that writer_takes, in turn from the segments; NULL: none now. */
    struct write_job *(*take)(void *ctx);
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
    struct ddb *ddb;
    struct budget *reads, *writes;
    struct str table, pk;          /* names */
    const struct ddb_table *facts; /* for its indexes; may be NULL */
    const struct env *env;
    struct crowd crowd; /* of all writers: the pace of a table that is throttled */
    pthread_mutex_t mu;
    int64_t table_units, index_units; /* lock: mu. Consumed, in millionths */
    uint64_t sent, conflicts;         /* lock: mu */
    uint64_t refused, applied; /* lock: mu. validation errors, successes: to stop early */
};
void write_shared_init(struct write_shared *s);
void write_shared_release(struct write_shared *s);

struct writer_config {
    struct write_shared *shared;
    struct http_loop *loop;
    struct journal *journal;
    uint32_t in_flight;
    uint32_t max_tries; /* recomputations of one item */
    const struct writer_ops *ops;
    void *ctx;
};

/* thread: worker, as all below. */
enum rc writer_new(const struct writer_config *config, struct writer **out,
                   struct err *err) MUST_CHECK;
void writer_free(struct writer *w);

/* Takes, journals and sends what it can. RC_OK, or the run must end. `stop`: takes no new jobs
 * and forgets, without `done`, those that are not in flight. */
enum rc writer_step(struct writer *w, bool stop, struct err *err) MUST_CHECK;

/* May this job be taken? Not while the service throttles its partition, but for one at a time, or
 * that of an index: the feeder offers others meanwhile. Ask once, and take it if so. */
bool writer_takes(struct writer *w, const struct write_job *job);

/* May any job of this range be taken? */
bool writer_range_open(const struct writer *w, uint32_t range);

/* How many jobs the writer has under way at most. */
uint32_t writer_room(const struct writer *w);

/* Jobs taken and not done. */
uint32_t writer_pending(const struct writer *w);

/* When writer_step wants to be called at the latest (monotonic); INT64_MAX: only by events. */
int64_t writer_due(const struct writer *w);

#endif
