/* SPDX-License-Identifier: MIT */
/*
 * Waiting for the disk without making the worker wait: a thread that syncs what it is told
 * to, appends the ledger's record, and says so through a descriptor. One job at a time.
 */
#ifndef SINKS_JSONL_SYNC_H
#define SINKS_JSONL_SYNC_H

#include <pthread.h>

#include "sinks/jsonl_log.h"

struct jsonl_sync_file {
    int fd;
    bool close; /* the file is finished: close it afterwards */
    bool fresh; /* made since the last commit: its folder is synced too */
    char path[FS_PATH];
};

struct jsonl_sync {
    struct jsonl_log *log;         /* borrowed; used by the thread while a job runs */
    struct jsonl_sync_file *files; /* filled by the owner while no job runs */
    size_t nfiles, cap_files;
    struct buf record;
    pthread_t thread;
    pthread_mutex_t mu; /* guards what follows */
    pthread_cond_t cond;
    enum { SYNC_IDLE, SYNC_ASKED, SYNC_DONE, SYNC_QUIT } what;
    enum rc rc;
    struct err err;
    int wake[2]; /* readable when the job is done */
    bool started;
};

enum rc jsonl_sync_init(struct jsonl_sync *y, struct jsonl_log *log,
                        struct err *err) MUST_CHECK;

/* Waits for the job, if any. */
void jsonl_sync_release(struct jsonl_sync *y);

/* Adds a file to the job that is being put together. */
enum rc jsonl_sync_add(struct jsonl_sync *y, const struct jsonl_sync_file *file,
                       struct err *err) MUST_CHECK;

/* Begins the job: the files, then `record`. */
void jsonl_sync_begin(struct jsonl_sync *y);

/* RC_AGAIN: still busy. RC_OK: done or nothing asked. Else the failure. Then clear the job. */
enum rc jsonl_sync_poll(struct jsonl_sync *y, struct err *err) MUST_CHECK;

/* Forgets the files and the record of a job that is over; closes what it should. */
void jsonl_sync_clear(struct jsonl_sync *y);

/* As poll, waiting. */
enum rc jsonl_sync_wait(struct jsonl_sync *y, struct err *err) MUST_CHECK;

#endif
