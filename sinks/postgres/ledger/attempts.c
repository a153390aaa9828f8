/* SPDX-License-Identifier: MIT */
/*
 * Waiting on behalf of the operator, and only for as long as is wanted. Trouble that may heal is
 * tried again within limits and while nobody asked to stop; a statement of finish or publish that
 * the server is still busy with, or waits for a lock in, is cancelled by the heartbeat's thread.
 */
#include "sinks/postgres/postgres_private.h"

bool pg_stopped(const struct pg_run *r)
{
    return r->stop && atomic_load(r->stop);
}

enum rc pg_interrupted(struct err *err)
{
    return err_set(err, RC_CANCEL, "interrupted; run the same command again to go on");
}

enum rc pg_unless_stopped(const struct pg_run *r, enum rc rc, struct err *err)
{
    bool waited = !rc || rc == RC_TRANSIENT;
    return waited && pg_stopped(r) ? pg_interrupted(err) : rc;
}

int64_t pg_retry_until(const struct pg_run *r)
{
    return r->env->mono_us(r->env->ctx) + (int64_t)r->opts.retry_s * 1000000;
}

bool pg_try_again(const struct pg_run *r, int64_t until, struct err *err)
{
    enum { PAUSE_US = 200000 };
    if (pg_unless_stopped(r, err->rc, err) == RC_CANCEL)
        return false;
    if (r->gone || !pg_err_heals(err) || r->env->mono_us(r->env->ctx) >= until)
        return false;
    r->env->sleep_us(r->env->ctx, PAUSE_US);
    return true;
}

bool pg_attempts_next(struct pg_attempts *a, struct pg_run *r, enum rc *rc, struct err *err)
{
    if (a->begun && !*rc)
        return false;
    bool again = !a->begun || pg_try_again(r, a->until, err);
    if (!a->begun)
        *a = (struct pg_attempts){.until = pg_retry_until(r), .begun = true};
    while (again && (*rc = pg_run_reconnect(r, err)))
        again = pg_try_again(r, a->until, err);
    if (!again)
        *rc = err->rc;
    return again;
}

void pg_stop_aim(struct pg_run *r)
{
    (void)pthread_mutex_lock(&r->cancel_mu);
    PQfreeCancel(r->cancel);
    r->cancel = r->pg ? PQgetCancel(r->pg) : NULL;
    (void)pthread_mutex_unlock(&r->cancel_mu);
}

void pg_stop_watch(struct pg_run *r, bool on)
{
    (void)pthread_mutex_lock(&r->cancel_mu);
    r->watched = on;
    (void)pthread_mutex_unlock(&r->cancel_mu);
}

void pg_stop_cancel(struct pg_run *r)
{
    char ignored[256];
    if (!pg_stopped(r))
        return;
    (void)pthread_mutex_lock(&r->cancel_mu);
    if (r->watched && r->cancel)
        (void)PQcancel(r->cancel, ignored, sizeof ignored);
    (void)pthread_mutex_unlock(&r->cancel_mu);
}
