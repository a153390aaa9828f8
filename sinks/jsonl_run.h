/* SPDX-License-Identifier: MIT */
/* The sink's own parts, shared by its files and nobody else. */
#ifndef SINKS_JSONL_RUN_H
#define SINKS_JSONL_RUN_H

#include <pthread.h>

#include "sinks/jsonl_log.h"
#include "sinks/jsonl_name.h"
#include "sinks/jsonl_sink.h"
#include "sinks/jsonl_state.h"

struct jsonl {
    struct sink base;
    struct jsonl_options opts;
    char out[FS_PATH];
    char run[FS_PATH];           /* OUT/.renorm/run-...; empty: none yet */
    const struct schema *schema; /* borrowed from run_info */
    struct buf identity;         /* run.json as text */
    int lock_fd;
    uint32_t generation;  /* of processes that worked on this run, from 1 */
    struct jsonl_log log; /* the main thread's */
    pthread_mutex_t mu;   /* guards state and next_file while workers run */
    struct jsonl_state state;
    uint32_t next_file;
    uint64_t *opened; /* the counters as they were when the run was opened */
};

/* The name of a stream's folder: safe, one path component. */
void jsonl_stream_name(const struct schema *schema, uint32_t stream, char out[JSONL_NAME]);

/* The folder of a stream, and a file in it. */
void jsonl_dir(const struct jsonl *s, uint32_t stream, char out[FS_PATH]);
void jsonl_file_path(const struct jsonl *s, uint32_t stream, uint32_t id, char out[FS_PATH]);

/* Files that hold what a mask hides are for their owner alone. */
unsigned jsonl_mode(const struct schema *schema, uint32_t stream);

/* lock: s->mu is taken. A file number never used before. */
uint32_t jsonl_new_file(struct jsonl *s);

/* lock: s->mu is taken. Applies a record that is on the disk. */
enum rc jsonl_applied(struct jsonl *s, struct str record, struct err *err) MUST_CHECK;

/* Appends to the main thread's log and applies. thread: main */
enum rc jsonl_record(struct jsonl *s, struct buf *record, struct err *err) MUST_CHECK;

void jsonl_point(const struct jsonl *s, const char *name);

/* jsonl_open.c: finds, refuses, abandons or makes the run; the lock is held afterwards. */
enum rc jsonl_run_open(struct jsonl *s, const struct run_info *info, struct run_state *state,
                       struct err *err) MUST_CHECK;

/* jsonl_recover.c: every file of the ledger becomes one whole frame; others are removed. */
enum rc jsonl_recover(struct jsonl *s, struct err *err) MUST_CHECK;

/* jsonl_worker.c */
struct sink_worker *jsonl_worker_new(struct jsonl *s, uint32_t index, struct err *err);

/* jsonl_reduce.c: the candidates of every extract become rows. */
enum rc jsonl_reduce(struct jsonl *s, struct err *err) MUST_CHECK;

/* jsonl_finish.c: recovers, reduces, counts. */
enum rc jsonl_finish(struct jsonl *s, struct sink_report *report, struct err *err) MUST_CHECK;

/* jsonl_publish.c: shows the result; repeatable. The second part alone needs no schema. */
enum rc jsonl_publish(struct jsonl *s, struct sink_report *report, struct err *err) MUST_CHECK;
enum rc jsonl_publish_rest(struct jsonl *s, struct err *err) MUST_CHECK;

/* jsonl_manifest.c */
void jsonl_manifest_schema(struct buf *b, const struct schema *schema);
void jsonl_manifest_write(const struct jsonl *s, struct buf *b);

#endif
