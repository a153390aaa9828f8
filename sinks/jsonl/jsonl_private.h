/* SPDX-License-Identifier: MIT */
/* The sink's own parts, shared by its files and nobody else. */
#ifndef SINKS_JSONL_JSONL_PRIVATE_H
#define SINKS_JSONL_JSONL_PRIVATE_H

#include <pthread.h>

#include "pipeline/row/key_repeats.h"
#include "sinks/jsonl/file_name.h"
#include "sinks/jsonl/jsonl.h"
#include "sinks/jsonl/ledger/replay.h"

/* Room for the names of a part, of a stream's folder in the store, and of a part in it. */
enum {
    JSONL_PART = 112,
    JSONL_STREAM = JSONL_NAME + 16,
    JSONL_KEY = JSONL_STREAM + JSONL_PART
};

struct jsonl {
    struct sink base;
    struct jsonl_options opts;
    char out[FS_PATH];           /* the store's address */
    struct store *store;         /* owned; NULL until the run is opened */
    const struct schema *schema; /* borrowed from run_info */
    struct str judged;           /* likewise */
    bool partial;                /* tables of the manifest that the schema has not stay */
    struct buf identity;         /* run.json as text */
    char superseded[400];        /* the run that gives way to this one, for people; or empty */
    struct store_version replaces; /* the manifest that was there when the run was opened */
    uint32_t generation;           /* of processes that worked on this run, from 1 */
    struct store_log *log;         /* owned; the main thread's */
    pthread_mutex_t mu;            /* guards state and next_file while workers run */
    struct jsonl_state state;
    uint32_t next_file;
    uint32_t workers;           /* of this process */
    struct key_repeats repeats; /* among the rows of this process */
    struct buf profile_last;    /* of the manifest that was there, as JSON */
    struct buf profile;         /* of this run */
    uint64_t *opened;           /* the counters as they were when the run was opened */
};

/* The name of a stream's folder: safe, one path component. */
void jsonl_stream_name(const struct schema *schema, uint32_t stream, char out[JSONL_NAME]);

/* The last component of a file's name; the number of a file of this run that is called so. */
void jsonl_part_name(const struct jsonl *s, uint32_t id, char out[JSONL_PART]);
bool jsonl_part_id(const struct jsonl *s, const char *name, uint32_t *id);

/* Where a stream's files are, and one of them; the key borrows `name`. */
struct store_key jsonl_stream_key(const struct jsonl *s, uint32_t stream,
                                  char name[JSONL_STREAM]);
struct store_key jsonl_file_key(const struct jsonl *s, uint32_t stream, uint32_t id,
                                char name[JSONL_KEY]);

/*
 * thread: any. Begins the object of a new file; one that holds what a mask hides is for its owner
 * alone.
 */
enum rc jsonl_begin(struct jsonl *s, const struct jsonl_file *file, struct store_object **out,
                    struct err *err) MUST_CHECK;

/* thread: any; takes s->mu. A file number never used before. */
uint32_t jsonl_new_file(struct jsonl *s);

/* thread: any; takes s->mu. Applies a record that is on the disk. */
enum rc jsonl_applied(struct jsonl *s, struct str record, struct err *err) MUST_CHECK;

/* Appends to the main thread's log and applies. thread: main */
enum rc jsonl_record(struct jsonl *s, struct buf *record, struct err *err) MUST_CHECK;

void jsonl_point(const struct jsonl *s, const char *name);

/* open_run.c: opens the store; finds, refuses, abandons or makes the run. */
enum rc jsonl_run_open(struct jsonl *s, const struct run_info *info, struct run_state *state,
                       struct err *err) MUST_CHECK;

/* Parts of it: finds the run, and removes what a crash left of others; reads what it did; begins a log
   of this process. */
enum rc jsonl_find_run(struct jsonl *s, struct err *err) MUST_CHECK;
enum rc jsonl_read_logs(struct jsonl *s, struct err *err) MUST_CHECK;
enum rc jsonl_start_log(struct jsonl *s, struct err *err) MUST_CHECK;

/* recover.c: every file of the ledger becomes one whole frame; others are removed. */
enum rc jsonl_recover(struct jsonl *s, struct err *err) MUST_CHECK;

/* recover.c: the parts of a run that will not be shown, where they lie beside those that are. */
enum rc jsonl_drop_parts(struct jsonl *s, struct err *err) MUST_CHECK;

/* row_writer.c */
struct sink_worker *jsonl_worker_new(struct jsonl *s, uint32_t index, struct err *err);

/* spill/unspill.c: the rows in the spills become parts of their tables. */
enum rc jsonl_unspill(struct jsonl *s, struct err *err) MUST_CHECK;

/* reduce_copies.c: the candidates of every extract become rows. */
enum rc jsonl_reduce(struct jsonl *s, struct err *err) MUST_CHECK;

/* last_steps.c: recovers, empties the spills, reduces, counts. */
enum rc jsonl_finish(struct jsonl *s, struct sink_report *report, struct err *err) MUST_CHECK;

/*
 * show_result.c: shows the result, or holds it; repeatable. The rest of the first alone needs no schema; *won is
 * false if another manifest is shown by now, and the run is still there then.
 */
enum rc jsonl_publish(struct jsonl *s, struct sink_report *report, struct err *err) MUST_CHECK;
enum rc jsonl_hold(struct jsonl *s, const struct verdict *v, struct sink_report *report,
                   struct err *err) MUST_CHECK;
enum rc jsonl_publish_rest(struct jsonl *s, bool *won, struct err *err) MUST_CHECK;
enum rc jsonl_record_plan_of(struct jsonl *s, struct str plan, struct err *err) MUST_CHECK;
enum rc jsonl_remove_run(struct jsonl *s, struct err *err) MUST_CHECK;

/* manifest_write.c */
void jsonl_manifest_schema(struct buf *b, const struct schema *schema);
void jsonl_manifest_write(const struct jsonl *s, struct buf *b);

/* manifest_stays.c: the tables of the manifest that is shown that this run leaves alone, each with
   the run that made it. */
void jsonl_manifest_stays(const struct jsonl *s, struct buf *b);

#endif
