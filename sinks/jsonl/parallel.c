/* SPDX-License-Identifier: MIT */
/* The caller is one of the threads: where no other can be started it does all of the work. */
#define _GNU_SOURCE
#include "sinks/jsonl/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum { MOST = 64 };

struct one {
    jsonl_parallel_work *work;
    void *ctx;
    uint32_t index;
    pthread_t thread;
    enum rc rc;
    struct err err;
};

static void *thread_main(void *arg)
{
    struct one *o = arg;
    o->rc = o->work(o->ctx, o->index, &o->err);
    return NULL;
}

/* Signals are for the main thread. */
static uint32_t start_all(struct one *v, uint32_t n)
{
    sigset_t all, old;
    uint32_t started = 1;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (started < n &&
           pthread_create(&v[started].thread, NULL, thread_main, &v[started]) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

enum rc jsonl_parallel(uint32_t n, jsonl_parallel_work *work, void *ctx, struct err *err)
{
    n = n == 0 ? 1 : n > MOST ? MOST : n;
    struct one *v = calloc(n, sizeof *v);
    if (!v)
        return err_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        v[i] = (struct one){.work = work, .ctx = ctx, .index = i};
    uint32_t started = start_all(v, n);
    (void)thread_main(&v[0]);
    enum rc rc = v[0].rc;
    *err = rc ? v[0].err : *err;
    for (uint32_t i = 1; i < started; i++) {
        (void)pthread_join(v[i].thread, NULL);
        if (v[i].rc && !rc) {
            rc = v[i].rc;
            *err = v[i].err;
        }
    }
    free(v);
    return rc;
}
