/* SPDX-License-Identifier: MIT */
/*
 * A worker's side of the sink: one connection and one transaction at a time, moved on by `step`
 * and never waited for. A commit is BEGIN, one COPY for each stream with rows, the segments'
 * update, which must touch every segment with the epoch we know, and COMMIT in a message of its
 * own: a COMMIT that travelled behind the update could land after somebody else took over.
 *
 * Rows are kept until the commit is acknowledged. When the connection is lost the new one first
 * raises the epochs, which waits for the old transaction and shuts it out, and the answer says
 * whether the commit had happened; if not, the same rows are sent again. If commits that were
 * acknowledged are gone (synchronous_commit off), all rows are dropped and the reader goes back to
 * where the ledger is.
 */
#include "sinks/postgres/load/loader.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/base/memory.h"

enum { FIRST_PAUSE_US = 100000, MAX_PAUSE_US = 5000000 };

static struct pg_worker *self_of(struct sink_worker *w)
{
    return (struct pg_worker *)w;
}

static int64_t now_of(const struct pg_worker *w)
{
    return w->run->env->mono_us(w->run->env->ctx);
}

static void enter(struct pg_worker *w, enum pg_phase phase)
{
    w->phase = phase;
    pg_answer_clear(&w->answer);
}

/* Sends a statement; a failure to do so shows in the answer. */
static void send_text(struct pg_worker *w, enum pg_phase phase, const char *sql)
{
    enter(w, phase);
    (void)PQsendQuery(w->io.pg, sql);
    w->io.events = POLLIN | POLLOUT;
}

static void start_connection(struct pg_worker *w)
{
    PQfinish(w->io.pg);
    w->io.pg = pg_connect_start(&w->run->target, w->name);
    w->io.events = POLLOUT;
    w->connect_until = now_of(w) + INT64_C(30000000);
    enter(w, PG_CONNECT);
}

/* Goes on with what is to be committed, from its beginning. */
static void start_transaction(struct pg_worker *w)
{
    w->turn = 0;
    w->at = 0;
    send_text(w, PG_BEGIN, "BEGIN");
}

/* The streams are sent in turn, each worker's from another one on: two that extend the same
   table at once wait for each other. */
static void next_stream(struct pg_worker *w)
{
    const uint32_t n = w->rows.nstreams;
    for (; w->turn < n; w->turn++) {
        w->stream = (w->index + w->turn) % n;
        if (w->rows.sending->streams[w->stream].rows > 0)
            break;
    }
    w->at = 0;
    if (w->turn < n) {
        send_text(w, PG_COPY, w->rows.copy[w->stream]);
        return;
    }
    enter(w, PG_MARKS);
    pg_marks_send(w);
}

static void count_heard(struct pg_worker *w)
{
    struct pg_run *r = w->run;
    const struct pg_stream *sent = w->rows.sending->streams;
    const uint32_t n = r->schema->ntables;
    (void)pthread_mutex_lock(&r->mu);
    for (uint32_t i = 0; i < n; i++)
        r->heard[i] += sent[i].rows;
    r->heard[n] += sent[w->rows.rejects].rows;
    (void)pthread_mutex_unlock(&r->mu);
}

/* The commit is over: the rows are the server's now. */
static void committed(struct pg_worker *w)
{
    pg_marks_committed(w);
    count_heard(w);
    pg_set_clear(&w->rows, w->rows.sending);
    w->trouble_since = 0;
    w->pause_us = 0;
    enter(w, PG_IDLE);
}

/* Nothing of this commit, nor of what was to follow, may count. */
static void drop_all(struct pg_worker *w)
{
    pg_set_clear(&w->rows, w->rows.sending);
    pg_set_clear(&w->rows, w->rows.filling);
    PQfinish(w->io.pg);
    w->io.pg = NULL;
    w->unsure = false;
    enter(w, PG_IDLE);
}

static enum rc fenced(struct pg_worker *w, struct err *err)
{
    drop_all(w);
    w->ended = COMMIT_FENCED;
    return err_set(err, RC_TRANSIENT, "a segment was taken over by another process");
}

/* Whoever took our segments over has brought the run to its end since: its staging went with it. */
static enum rc left_behind(struct pg_worker *w, struct err *err)
{
    drop_all(w);
    w->ended = COMMIT_FENCED;
    return err_set(err, RC_TRANSIENT, "run %lld has ended without this process", w->run->run);
}

/* After a lost connection the ledger has answered. */
static enum rc settle(struct pg_worker *w, struct err *err)
{
    enum pg_settled settled = pg_marks_settle(w);
    w->unsure = false;
    switch (settled) {
    case PG_LANDED:
        committed(w);
        return RC_OK;
    case PG_MISSED:
        start_transaction(w);
        return RC_OK;
    case PG_TAKEN:
        break;
    case PG_EMPTIED:
        drop_all(w);
        return pg_ledger_emptied(err);
    case PG_FORGOTTEN:
        drop_all(w);
        w->ended = COMMIT_FORGOTTEN;
        return RC_OK;
    }
    return fenced(w, err);
}

/* Trouble: waits and tries again while it may heal and patience lasts. */
static enum rc trouble(struct pg_worker *w, const char *sqlstate, const struct err *what,
                       struct err *err)
{
    int64_t now = now_of(w);
    struct err kept = *what;
    bool lost = w->io.pg == NULL || PQstatus(w->io.pg) == CONNECTION_BAD || sqlstate[0] == 0;
    bool healing = kept.rc == RC_TRANSIENT && pg_heals(sqlstate);
    if (w->trouble_since == 0)
        w->trouble_since = now;
    /* the new connection must ask the ledger whether the commit happened */
    if (lost && w->phase != PG_CONNECT)
        w->unsure = true;
    if (!healing || pg_stopped(w->run) ||
        now - w->trouble_since > (int64_t)w->run->opts.retry_s * 1000000) {
        PQfinish(w->io.pg);
        w->io.pg = NULL;
        enter(w, PG_IDLE);
        w->failed = true;
        *err = kept;
        return err_context(err, "worker %u", w->index);
    }
    if (lost) {
        PQfinish(w->io.pg);
        w->io.pg = NULL;
    }
    w->pause_us = w->pause_us == 0 ? FIRST_PAUSE_US : w->pause_us * 2;
    if (w->pause_us > MAX_PAUSE_US)
        w->pause_us = MAX_PAUSE_US;
    w->pause_until = now + w->pause_us;
    enter(w, PG_PAUSE);
    return RC_OK;
}

static enum rc connecting(struct pg_worker *w, struct err *err)
{
    struct err why;
    enum rc rc = pg_connect_step(&w->run->target, w->io.pg, &w->io.events, &why);
    if (rc == RC_AGAIN && now_of(w) < w->connect_until)
        return RC_AGAIN;
    if (rc == RC_AGAIN)
        rc = err_set(&why, RC_TRANSIENT, "PostgreSQL does not answer within 30 s");
    if (rc)
        return trouble(w, "", &why, err);
    send_text(w, PG_SETTINGS, w->run->target.settings);
    return RC_OK;
}

static enum rc pausing(struct pg_worker *w)
{
    if (now_of(w) < w->pause_until)
        return RC_AGAIN;
    if (w->io.pg == NULL) {
        start_connection(w);
    } else {
        send_text(w, PG_ROLLBACK, "ROLLBACK");
    }
    return RC_OK;
}

static enum rc sending(struct pg_worker *w, struct err *err)
{
    struct err why;
    struct str data = buf_view(&w->rows.sending->streams[w->stream].data);
    enum rc rc = pg_io_copy(&w->io, data, &w->at, &why);
    if (rc == RC_AGAIN)
        return RC_AGAIN;
    if (rc)
        return trouble(w, "", &why, err);
    enter(w, PG_COPIED);
    return RC_OK;
}

/* The server's answer to the last statement is complete and good: what comes next. */
static enum rc go_on(struct pg_worker *w, struct err *err)
{
    switch (w->phase) {
    case PG_SETTINGS:
        if (w->unsure) {
            enter(w, PG_REFENCE);
            pg_marks_refence(w);
        } else {
            start_transaction(w);
        }
        return RC_OK;
    case PG_REFENCE:
        return settle(w, err);
    case PG_ROLLBACK:
        start_transaction(w);
        return RC_OK;
    case PG_BEGIN:
        next_stream(w);
        return RC_OK;
    case PG_COPY:
        enter(w, PG_SENDING);
        return RC_OK;
    case PG_COPIED:
        if (w->answer.touched != (long long)w->rows.sending->streams[w->stream].rows) {
            return err_set(err, RC_SINK, "the server took %lld of %llu rows", w->answer.touched,
                           (unsigned long long)w->rows.sending->streams[w->stream].rows);
        }
        w->turn++;
        next_stream(w);
        return RC_OK;
    case PG_MARKS:
        if (w->answer.touched != (long long)w->nmarks)
            return fenced(w, err);
        send_text(w, PG_COMMIT, "COMMIT");
        return RC_OK;
    case PG_COMMIT:
        committed(w);
        return RC_OK;
    case PG_IDLE:
    case PG_CONNECT:
    case PG_PAUSE:
    case PG_SENDING:
        break;
    }
    return RC_OK;
}

static enum rc answering(struct pg_worker *w, struct err *err)
{
    if (pg_io_answer(&w->io, &w->answer) == RC_AGAIN)
        return RC_AGAIN;
    if (w->answer.err.rc) {
        struct err why = w->answer.err;
        char state[6];
        memcpy(state, w->answer.sqlstate, sizeof state);
        if (w->phase == PG_COPY && pg_means_gone(state))
            return left_behind(w, err);
        return trouble(w, state, &why, err);
    }
    return go_on(w, err);
}

static enum rc worker_step(struct sink_worker *base, enum commit_outcome *outcome,
                           struct err *err)
{
    struct pg_worker *w = self_of(base);
    enum rc rc = RC_OK;
    w->ended = COMMIT_DONE;
    if (w->failed)
        return err_set(err, RC_TRANSIENT, "worker %u has given up", w->index);
    while (!rc && w->phase != PG_IDLE) {
        if (w->phase == PG_CONNECT) {
            rc = connecting(w, err);
        } else if (w->phase == PG_PAUSE) {
            rc = pausing(w);
        } else if (w->phase == PG_SENDING) {
            rc = sending(w, err);
        } else {
            rc = answering(w, err);
        }
    }
    *outcome = rc == RC_AGAIN ? COMMIT_UNDER_WAY : w->ended;
    return rc == RC_AGAIN ? RC_OK : rc;
}

static enum rc worker_commit(struct sink_worker *base, const struct mark *marks, size_t n,
                             enum commit_outcome *outcome, struct err *err)
{
    struct pg_worker *w = self_of(base);
    *outcome = COMMIT_DONE;
    if (w->phase != PG_IDLE)
        return err_set(err, RC_SINK, "a commit was begun before the last one ended");
    if (n == 0)
        return RC_OK;
    bool fenced = false;
    enum rc rc = pg_marks_keep(w, marks, n, &fenced, err);
    if (rc) {
        *outcome = fenced ? COMMIT_FENCED : COMMIT_DONE;
        return rc;
    }
    pg_rows_extras(&w->rows, marks[0].extras);
    rc = buf_check(&w->rows.filling->streams[w->rows.extras].data, err);
    if (rc)
        return rc;
    pg_rows_turn(&w->rows);
    if (w->io.pg == NULL || PQstatus(w->io.pg) == CONNECTION_BAD) {
        /* more may have gone with the old connection than it told us */
        w->unsure = w->io.pg != NULL;
        start_connection(w);
    } else {
        start_transaction(w);
    }
    return worker_step(base, outcome, err);
}

static enum rc worker_rows(struct sink_worker *base, const struct batch *batch, struct err *err)
{
    return pg_rows_add(&self_of(base)->rows, batch, err);
}

static bool worker_full(const struct sink_worker *base)
{
    const struct pg_worker *w = (const struct pg_worker *)base;
    return w->rows.filling->bytes >= w->limit;
}

static size_t worker_fds(struct sink_worker *base, struct pollfd *fds, size_t cap)
{
    struct pg_worker *w = self_of(base);
    if (cap == 0 || w->phase == PG_IDLE || w->phase == PG_PAUSE || w->io.pg == NULL ||
        PQsocket(w->io.pg) < 0)
        return 0;
    fds[0] = (struct pollfd){.fd = PQsocket(w->io.pg), .events = w->io.events};
    return 1;
}

static void worker_close(struct sink_worker *base)
{
    struct pg_worker *w = self_of(base);
    pg_answer_clear(&w->answer);
    PQfinish(w->io.pg);
    pg_rows_release(&w->rows);
    pg_marks_release(w);
    free(w);
}

struct sink_worker *pg_worker_new(struct pg_run *r, uint32_t index, struct err *err)
{
    static const struct sink_worker_ops ops = {
        .rows = worker_rows,
        .full = worker_full,
        .commit = worker_commit,
        .step = worker_step,
        .fds = worker_fds,
        .close = worker_close,
    };
    struct pg_worker *w = memory_new(sizeof *w, err);
    if (!w)
        return NULL;
    w->base.ops = &ops;
    w->run = r;
    w->index = index;
    w->limit = ((size_t)r->opts.commit_mb << 20) / 2;
    (void)snprintf(w->name, sizeof w->name, "renorm run %lld worker %u", r->run, index);
    if (pg_rows_init(&w->rows, r, err)) {
        worker_close(&w->base);
        return NULL;
    }
    return &w->base;
}
