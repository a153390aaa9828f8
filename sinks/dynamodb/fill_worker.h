/* SPDX-License-Identifier: MIT */
/* One worker of a pass: its reader, its journal, its writer, and the pages it has in work. */
#ifndef DYNAMODB_FILL_WORKER_H
#define DYNAMODB_FILL_WORKER_H

#include "pipeline/base/map.h"
#include "sinks/dynamodb/fill.h"
#include "sinks/dynamodb/rota.h"
#include "sinks/dynamodb/writer.h"

/* What the workers of a pass share. */
struct fill_shared {
    const struct fill_setup *setup;
    const struct ddb_table *table; /* as the scan was opened on it */
    struct write_shared write;
    struct standing standing;  /* of a resumed pass; read only */
    struct map mine;           /* key text to the last intent of earlier processes; read only */
    uint32_t *before;          /* by intent: the one before it of the same key, or UINT32_MAX */
    bool *met;                 /* by intent: its item was read again. One segment, one worker */
    uint32_t rows;             /* entities + 1 */
    atomic_bool halt;          /* an error, or the operator */
    atomic_bool enough;        /* the sample is large enough */
    atomic_uint_fast64_t read; /* only looking: judged */
    atomic_uint_fast64_t seen, bad; /* writing: items of the pass, and those of no use to it */
    atomic_bool judged;             /* by its first items */
    pthread_mutex_t mu;
    struct err first; /* lock: mu. The first error wins */
    uint64_t *counts; /* lock: mu. rows * FATES: pages that are done */
    uint64_t items;   /* lock: mu. that the service sent in these pages */
};

struct fill_work; /* a page in work */

struct fill_worker {
    struct fill_shared *shared;
    struct fill_progress *progress;
    uint32_t index;
    struct reader *reader;
    struct journal *journal; /* NULL: only looking */
    struct writer *writer;   /* NULL: only looking */
    struct decoder *decoder;
    struct arena scratch;
    struct buf text;
    struct fill_work *works; /* one for every segment that is started at once */
    uint32_t nworks;
    struct rota rota; /* its places are the works */
    uint32_t open;    /* segments started and not ended */
    bool no_more;
    struct err err; /* found inside a callback */
    pthread_t thread;
    bool started;
};

enum rc fill_worker_init(struct fill_worker *w, struct fill_shared *shared,
                         struct fill_progress *progress, uint32_t index,
                         struct err *err) MUST_CHECK;
void fill_worker_release(struct fill_worker *w);

/* A pthread start routine; the argument is a struct fill_worker. */
void *fill_worker_main(void *arg);

/* thread: any. Keeps the first error and stops the others. */
void fill_fail(struct fill_shared *shared, const struct err *err);

#endif
