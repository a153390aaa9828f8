/* SPDX-License-Identifier: MIT */
/*
 * Files go on growing while they are synced: the record holds the lengths of the moment it
 * was made, and what lies behind them does not count until the next one.
 */
#define _GNU_SOURCE
#include "sinks/jsonl_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static enum rc sync_file(const struct jsonl_sync_file *f, struct err *err)
{
    if (fdatasync(f->fd) != 0)
        return err_errno(err, RC_TRANSIENT, errno, "cannot sync \"%s\"", f->path);
    if (!f->fresh)
        return RC_OK;
    char dir[FS_PATH];
    fs_path(dir, "%s", f->path);
    *strrchr(dir, '/') = '\0';
    return fs_sync_dir(dir, err);
}

static enum rc work(struct jsonl_sync *y, struct err *err)
{
    enum rc rc = RC_OK;
    for (size_t i = 0; i < y->nfiles && !rc; i++)
        rc = sync_file(&y->files[i], err);
    return rc ? rc : jsonl_log_append(y->log, buf_view(&y->record), err);
}

static void *thread_main(void *arg)
{
    struct jsonl_sync *y = arg;
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
static int start_thread(struct jsonl_sync *y)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int code = pthread_create(&y->thread, NULL, thread_main, y);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return code;
}

enum rc jsonl_sync_init(struct jsonl_sync *y, struct jsonl_log *log, struct err *err)
{
    *y = (struct jsonl_sync){.log = log, .wake = {-1, -1}};
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

void jsonl_sync_clear(struct jsonl_sync *y)
{
    for (size_t i = 0; i < y->nfiles; i++) {
        if (y->files[i].close)
            close(y->files[i].fd);
    }
    y->nfiles = 0;
    buf_clear(&y->record);
}

void jsonl_sync_release(struct jsonl_sync *y)
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
    jsonl_sync_clear(y);
    for (int i = 0; i < 2; i++) {
        if (y->wake[i] >= 0)
            close(y->wake[i]);
    }
    free(y->files);
    buf_release(&y->record);
    pthread_cond_destroy(&y->cond);
    pthread_mutex_destroy(&y->mu);
}

enum rc jsonl_sync_add(struct jsonl_sync *y, const struct jsonl_sync_file *file,
                       struct err *err)
{
    if (y->nfiles == y->cap_files) {
        size_t cap = y->cap_files ? 2 * y->cap_files : 16;
        struct jsonl_sync_file *more = realloc(y->files, cap * sizeof *more);
        if (!more)
            return err_nomem(err);
        y->files = more;
        y->cap_files = cap;
    }
    y->files[y->nfiles++] = *file;
    return RC_OK;
}

void jsonl_sync_begin(struct jsonl_sync *y)
{
    pthread_mutex_lock(&y->mu);
    y->what = SYNC_ASKED;
    pthread_cond_broadcast(&y->cond);
    pthread_mutex_unlock(&y->mu);
}

/* lock: y->mu */
static enum rc collect(struct jsonl_sync *y, struct err *err)
{
    char drain[8];
    while (read(y->wake[0], drain, sizeof drain) > 0) {
    }
    y->what = SYNC_IDLE;
    if (y->rc)
        *err = y->err;
    return y->rc;
}

enum rc jsonl_sync_poll(struct jsonl_sync *y, struct err *err)
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

enum rc jsonl_sync_wait(struct jsonl_sync *y, struct err *err)
{
    pthread_mutex_lock(&y->mu);
    while (y->what == SYNC_ASKED)
        pthread_cond_wait(&y->cond, &y->mu);
    enum rc rc = y->what == SYNC_DONE ? collect(y, err) : RC_OK;
    pthread_mutex_unlock(&y->mu);
    return rc;
}
