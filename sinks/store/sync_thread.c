/* SPDX-License-Identifier: MIT */
/*
 * Objects go on growing while they are synced: the record holds the lengths of the moment it
 * was made, and what lies behind them does not count until the next one.
 */
#define _GNU_SOURCE
#include "sinks/store/sync_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline/base/memory.h"

static enum rc settle(const struct sync_thread_object *o, struct err *err)
{
    return o->finish ? o->object->ops->finish(o->object, err)
                     : o->object->ops->sync(o->object, err);
}

static enum rc work(struct sync_thread *y, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < y->nobjects && !rc; i++)
        rc = settle(&y->objects[i], err);
    return rc ? rc : y->log->ops->add(y->log, buf_view(&y->record), err);
}

static void *thread_main(void *arg)
{
    struct sync_thread *y = arg;
    pthread_mutex_lock(&y->mu);
    for (;;) {
        while (y->what != SYNC_ASKED && y->what != SYNC_QUIT)
            pthread_cond_wait(&y->cond, &y->mu);
        if (y->what == SYNC_QUIT)
            break;
        pthread_mutex_unlock(&y->mu);
        struct err err = {0};
        enum rc rc = work(y, &err);
        pthread_mutex_lock(&y->mu);
        y->rc = rc;
        y->err = err;
        y->what = SYNC_DONE;
        pthread_cond_broadcast(&y->cond);
        (void)!write(y->wake[1], "", 1);
    }
    pthread_mutex_unlock(&y->mu);
    return NULL;
}

/* Signals are for the main thread. */
static int start_thread(struct sync_thread *y)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int code = pthread_create(&y->thread, NULL, thread_main, y);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return code;
}

enum rc sync_thread_init(struct sync_thread *y, struct store_log *log, struct err *err)
{
    *y = (struct sync_thread){.log = log, .wake = {-1, -1}};
    buf_init(&y->record, BUF_NO_LIMIT);
    pthread_mutex_init(&y->mu, NULL);
    pthread_cond_init(&y->cond, NULL);
    if (pipe2(y->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot make a pipe");
    int code = start_thread(y);
    if (code != 0)
        return err_errno(err, RC_TRANSIENT, code, "cannot start a thread");
    y->started = true;
    return RC_OK;
}

void sync_thread_clear(struct sync_thread *y)
{
    for (size_t i = 0; i < y->nobjects; i++) {
        if (y->objects[i].finish)
            store_object_close(y->objects[i].object);
    }
    y->nobjects = 0;
    buf_clear(&y->record);
}

void sync_thread_release(struct sync_thread *y)
{
    if (y->started) {
        pthread_mutex_lock(&y->mu);
        while (y->what == SYNC_ASKED)
            pthread_cond_wait(&y->cond, &y->mu);
        y->what = SYNC_QUIT;
        pthread_cond_broadcast(&y->cond);
        pthread_mutex_unlock(&y->mu);
        pthread_join(y->thread, NULL);
    }
    sync_thread_clear(y);
    for (int i = 0; i < 2; i++) {
        if (y->wake[i] >= 0)
            close(y->wake[i]);
    }
    free(y->objects);
    buf_release(&y->record);
    pthread_cond_destroy(&y->cond);
    pthread_mutex_destroy(&y->mu);
}

enum rc sync_thread_add(struct sync_thread *y, struct sync_thread_object object,
                        struct err *err)
{
    struct sync_thread_object *more =
        memory_push(y->objects, y->nobjects, &y->cap_objects, 16, sizeof *y->objects);
    if (!more)
        return err_nomem(err);
    y->objects = more;
    y->objects[y->nobjects++] = object;
    return RC_OK;
}

void sync_thread_begin(struct sync_thread *y)
{
    pthread_mutex_lock(&y->mu);
    y->what = SYNC_ASKED;
    pthread_cond_broadcast(&y->cond);
    pthread_mutex_unlock(&y->mu);
}

/* lock: y->mu */
static enum rc collect(struct sync_thread *y, struct err *err)
{
    char drain[8];
    while (read(y->wake[0], drain, sizeof drain) > 0) {
    }
    y->what = SYNC_IDLE;
    if (y->rc)
        *err = y->err;
    return y->rc;
}

enum rc sync_thread_poll(struct sync_thread *y, struct err *err)
{
    enum rc rc = RC_OK;
    pthread_mutex_lock(&y->mu);
    if (y->what == SYNC_ASKED) {
        rc = RC_AGAIN;
    } else if (y->what == SYNC_DONE) {
        rc = collect(y, err);
    }
    pthread_mutex_unlock(&y->mu);
    return rc;
}

enum rc sync_thread_wait(struct sync_thread *y, struct err *err)
{
    pthread_mutex_lock(&y->mu);
    while (y->what == SYNC_ASKED)
        pthread_cond_wait(&y->cond, &y->mu);
    enum rc rc = y->what == SYNC_DONE ? collect(y, err) : RC_OK;
    pthread_mutex_unlock(&y->mu);
    return rc;
}
