/* SPDX-License-Identifier: MIT */
/*
 * Waiting for the store without making the worker wait: a thread that syncs and finishes what it
 * is told to, adds the ledger's record, and says so through a descriptor. One job at a time.
 */
#ifndef SINKS_STORE_SYNC_THREAD_H
#define SINKS_STORE_SYNC_THREAD_H

#include <pthread.h>

#include "sinks/store/store.h"

struct sync_thread_object {
    struct store_object *object;
    bool finish; /* nothing more is written to it: it is finished, and closed afterwards */
};

struct sync_thread {
    struct store_log *log;              /* borrowed; used by the thread while a job runs */
    struct sync_thread_object *objects; /* filled by the owner while no job runs */
    size_t nobjects, cap_objects;
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

enum rc sync_thread_init(struct sync_thread *y, struct store_log *log,
                         struct err *err) MUST_CHECK;

/* Waits for the job, if any. */
void sync_thread_release(struct sync_thread *y);

/* Adds an object to the job that is being put together; takes one that is to be finished. */
enum rc sync_thread_add(struct sync_thread *y, struct sync_thread_object object,
                        struct err *err) MUST_CHECK;

/* Begins the job: the objects, then `record`. */
void sync_thread_begin(struct sync_thread *y);

/* RC_AGAIN: still busy. RC_OK: done or nothing asked. Else the failure. Then clear the job. */
enum rc sync_thread_poll(struct sync_thread *y, struct err *err) MUST_CHECK;

/* Forgets the objects and the record of a job that is over; closes what it should. */
void sync_thread_clear(struct sync_thread *y);

/* As poll, waiting. */
enum rc sync_thread_wait(struct sync_thread *y, struct err *err) MUST_CHECK;

#endif
