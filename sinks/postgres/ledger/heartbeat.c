/* SPDX-License-Identifier: MIT */
/*
 * How processes that work on one run see each other. A process is alive while three things hold:
 * its heartbeat is younger than the lease (a stopped one loses it), its connection still holds an
 * advisory lock (a killed one loses it at once), and, if it runs on this machine, there is such a
 * process. Being wrong does no harm: what is taken for dead is fenced off by the epochs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sinks/postgres/postgres_private.h"
#include "sql.inc"

enum { TICKS = 5 }; /* a second: how often the thread looks up */

struct self {
    char host[256];
    char place[256]; /* one boot of one machine, one pid namespace */
    int pid;
    long long ticks; /* start time: pids are used again */
};

static size_t read_small(const char *path, char *out, size_t cap)
{
    ssize_t n = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, out, cap - 1);
        (void)close(fd);
    }
    out[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}

/* Start time of a process in clock ticks; -1 if there is none (any more). */
static long long start_ticks(int pid)
{
    char path[64], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (read_small(path, text, sizeof text) == 0)
        return -1;
    /* the name may hold anything: fields are counted from the last parenthesis */
    const char *p = strrchr(text, ')');
    if (p == NULL || strlen(p) < 4 || p[2] == 'Z')
        return -1;
    p += 2;
    for (int field = 3; field < 22 && p; field++) {
        p = strchr(p, ' ');
        if (p)
            p++;
    }
    return p ? strtoll(p, NULL, 10) : -1;
}

static void self_read(struct self *s)
{
    char boot[64], ns[64];
    memset(s, 0, sizeof *s);
    if (gethostname(s->host, sizeof s->host - 1) != 0)
        (void)snprintf(s->host, sizeof s->host, "unknown");
    boot[read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot)] = 0;
    boot[strcspn(boot, "\n")] = 0;
    ssize_t n = readlink("/proc/self/ns/pid", ns, sizeof ns - 1);
    ns[n > 0 ? n : 0] = 0;
    (void)snprintf(s->place, sizeof s->place, "%s %s", boot, ns);
    s->pid = (int)getpid();
    s->ticks = start_ticks(s->pid);
}

/* On this machine one can look. */
static bool surely_dead(const struct self *me, const PGresult *res, int row)
{
    if (me->ticks < 0 || !str_is(pg_text(res, row, 2), me->place))
        return false;
    return start_ticks((int)pg_number(res, row, 3)) != pg_number(res, row, 4);
}

enum rc pg_heartbeat_others(struct pg_run *r, long long run, bool *live, struct buf *who,
                            struct err *err)
{
    char number[24], lease[24];
    const char *params[] = {number, lease};
    PGresult *res = NULL;
    struct self me;
    *live = false;
    self_read(&me);
    (void)snprintf(number, sizeof number, "%lld", run);
    (void)snprintf(lease, sizeof lease, "%u", r->opts.lease_s);
    enum rc rc = pg_query(r->pg, sql_process_live, params, 2, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        if (surely_dead(&me, res, i)) {
            const char *one[] = {PQgetvalue(res, i, 0)};
            rc = pg_query(r->pg,
                          "UPDATE renorm.process SET ended = clock_timestamp() "
                          "WHERE process = $1",
                          one, 1, NULL, err);
        } else if (pg_number(res, i, 0) != r->process) {
            buf_addf(who, "%s%s since %s", *live ? ", " : "", PQgetvalue(res, i, 1),
                     PQgetvalue(res, i, 5));
            *live = true;
        }
    }
    PQclear(res);
    return rc;
}

static enum rc connect_heartbeat(struct pg_run *r, PGconn **out, struct err *err)
{
    char lock[96];
    (void)snprintf(lock, sizeof lock, "SELECT pg_advisory_lock(%d, %d)", PG_LOCK_CLASS,
                   r->process);
    enum rc rc = pg_connect(&r->target, "renorm heartbeat", out, err);
    if (!rc)
        rc = pg_exec(*out, lock, err);
    if (rc && *out) {
        PQfinish(*out);
        *out = NULL;
    }
    return rc;
}

/* A beat that fails costs a beat: the next one makes a new connection. */
static void beat(struct pg_run *r, PGconn **pg)
{
    struct err err;
    char sql[160];
    (void)snprintf(sql, sizeof sql,
                   "UPDATE renorm.process SET heartbeat = clock_timestamp(), ended = NULL "
                   "WHERE process = %d",
                   r->process);
    if (*pg == NULL && connect_heartbeat(r, pg, &err))
        return;
    if (pg_exec(*pg, sql, &err)) {
        PQfinish(*pg);
        *pg = NULL;
    }
}

struct heartbeat_arg {
    struct pg_run *run;
    PGconn *pg;
};

static void *heartbeat_main(void *arg)
{
    struct pg_run *r = ((struct heartbeat_arg *)arg)->run;
    PGconn *pg = ((struct heartbeat_arg *)arg)->pg;
    free(arg);
    (void)pthread_mutex_lock(&r->heartbeat.mu);
    const uint64_t every = (uint64_t)TICKS * (r->opts.lease_s > 4 ? r->opts.lease_s / 4 : 1);
    for (uint64_t ticks = 1; !r->heartbeat.stop; ticks++) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 1000000000 / TICKS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&r->heartbeat.wake, &r->heartbeat.mu, &until);
        if (r->heartbeat.stop)
            break;
        (void)pthread_mutex_unlock(&r->heartbeat.mu);
        pg_stop_cancel(r);
        if (ticks % every == 0)
            beat(r, &pg);
        (void)pthread_mutex_lock(&r->heartbeat.mu);
    }
    (void)pthread_mutex_unlock(&r->heartbeat.mu);
    PQfinish(pg);
    return NULL;
}

static enum rc heartbeat_start(struct pg_run *r, struct err *err)
{
    pthread_condattr_t attr;
    struct heartbeat_arg *arg = calloc(1, sizeof *arg);
    if (arg == NULL)
        return err_nomem(err);
    arg->run = r;
    enum rc rc = connect_heartbeat(r, &arg->pg, err);
    if (rc) {
        free(arg);
        return rc;
    }
    (void)pthread_mutex_init(&r->heartbeat.mu, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&r->heartbeat.wake, &attr);
    (void)pthread_condattr_destroy(&attr);
    int failed = pthread_create(&r->heartbeat.thread, NULL, heartbeat_main, arg);
    if (failed) {
        PQfinish(arg->pg);
        free(arg);
        return err_errno(err, RC_SINK, failed, "cannot start a thread");
    }
    r->heartbeat.started = true;
    return RC_OK;
}

enum rc pg_heartbeat_begin(struct pg_run *r, struct err *err)
{
    struct self me;
    char run[24], pid[24], ticks[24];
    PGresult *res = NULL;
    self_read(&me);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    (void)snprintf(pid, sizeof pid, "%d", me.pid);
    (void)snprintf(ticks, sizeof ticks, "%lld", me.ticks);
    const char *params[] = {run, me.host, me.place, pid, ticks};
    enum rc rc = pg_query(r->pg, sql_process_insert, params, 5, &res, err);
    if (rc)
        return rc;
    r->process = (int)pg_number(res, 0, 0);
    PQclear(res);
    return heartbeat_start(r, err);
}

void pg_heartbeat_end(struct pg_run *r)
{
    struct err ignored;
    char sql[160];
    if (!r->heartbeat.started)
        return;
    (void)pthread_mutex_lock(&r->heartbeat.mu);
    r->heartbeat.stop = true;
    (void)pthread_cond_signal(&r->heartbeat.wake);
    (void)pthread_mutex_unlock(&r->heartbeat.mu);
    (void)pthread_join(r->heartbeat.thread, NULL);
    (void)pthread_cond_destroy(&r->heartbeat.wake);
    (void)pthread_mutex_destroy(&r->heartbeat.mu);
    r->heartbeat.started = false;
    (void)snprintf(sql, sizeof sql,
                   "UPDATE renorm.process SET ended = clock_timestamp() WHERE process = %d",
                   r->process);
    if (r->pg && PQtransactionStatus(r->pg) != PQTRANS_IDLE)
        (void)!pg_exec(r->pg, "ROLLBACK", &ignored);
    if (r->pg)
        (void)!pg_exec(r->pg, sql, &ignored);
}
