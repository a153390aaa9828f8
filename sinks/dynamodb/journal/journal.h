/* SPDX-License-Identifier: MIT */
/*
 * One worker's log, written in groups: entries are gathered while the disk is busy with the
 * group before, then written as one checksummed record and synced. An entry has happened when
 * its group is durable; entries of one log become durable in order. Nobody waits here.
 *
 * A record is one line, HASH JSON, as in sinks/store/record_log.h; the JSON is an array of entries:
 *   {"intent":ID,"segment":N,"bytes":N,"key":{..},"old":{"A":{"S":..},..},"new":{..}}
 *        "bytes": the item's size; what "old" lacks was missing, what "new" lacks is removed
 *   {"outcome":ID,"of":[GENERATION,WORKER],"fate":"changed"}       "of" where not this log's own
 *   {"mark":SEGMENT,"done":true,"resume":"..","counts":{"ROW":{"changed":N,..}},"listed":[..]}
 */
#ifndef SINKS_DYNAMODB_JOURNAL_JOURNAL_H
#define SINKS_DYNAMODB_JOURNAL_JOURNAL_H

#include <poll.h>

#include "sinks/dynamodb/journal/state.h"
#include "sinks/dynamodb/recipe/recipe.h"

struct journal;

/* Makes the log. Returns owned in *out. thread: any; then one thread uses it. */
enum rc journal_open(const struct state *s, uint32_t worker, struct journal **out,
                     struct err *err) MUST_CHECK;

/* Waits for what is under way; what was not flushed is given up. */
void journal_close(struct journal *j);

/* The result of an intent. */
enum outcome {
    OUTCOME_CHANGED, /* written by us: undo puts it back */
    OUTCOME_VOID     /* nothing was written by this intent */
};

/* Each returns the entry's number in this log, from 1; 0 when out of memory. `key` is the JSON
 * object of the key attributes, byte for byte as they came. An intent's number is its ID. */
uint64_t journal_intent(struct journal *j, uint32_t segment, struct str key,
                        const struct change *c);
uint64_t journal_outcome(struct journal *j, uint64_t intent, enum outcome what);
/* Of an intent of an earlier process of this pass: one that it left open, or one that it settled
 * and whose item was met again, so that the next mark covers it. */
uint64_t journal_settled(struct journal *j, uint32_t generation, uint32_t worker,
                         uint64_t intent, enum outcome what);

/* A page is done: all its intents have outcomes. */
struct journal_mark {
    uint32_t segment;
    bool done; /* it was the segment's last */
    struct str resume;
    const uint64_t *counts; /* [rows][FATES]; rows: entities + 1, the last for items of none */
    uint32_t rows;
    struct str listed; /* JSON objects, each with a newline: items that conflicted or failed */
};
uint64_t journal_mark(struct journal *j, const struct journal_mark *m);

/*
 * Moves on: begins a group if entries wait and the disk is free. RC_OK (also while busy), or the
 * write failed (RC_TRANSIENT): then nothing more may be sent.
 */
enum rc journal_step(struct journal *j, struct err *err) MUST_CHECK;

/* All entries up to this number are durable. */
uint64_t journal_durable(const struct journal *j);

/* Entries that are not durable yet? Then wait for `fd`. */
bool journal_busy(const struct journal *j);
int journal_fd(const struct journal *j);

/* Waits until all entries are durable. */
enum rc journal_flush(struct journal *j, struct err *err) MUST_CHECK;

#endif
