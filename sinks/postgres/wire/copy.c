/* SPDX-License-Identifier: MIT */
/*
 * PQputCopyData never refuses in non-blocking mode, it grows libpq's buffer: so nothing is put
 * before the chunk before it has left. A server that dislikes a row says so at once, but libpq
 * hands that out only after the end of the COPY; data is sent on until then, which a commit's size
 * bounds.
 */
#include "sinks/postgres/wire/copy.h"

#include <poll.h>
#include <stdlib.h>

#include "sinks/postgres/wire/connection.h"

enum { CHUNK = 64 * 1024 };

void pg_answer_clear(struct pg_answer *a)
{
    PQclear(a->rows);
    memset(a, 0, sizeof *a);
}

/* RC_OK: all has left; RC_AGAIN; RC_TRANSIENT: lost. */
static enum rc flush(struct pg_io *io)
{
    if (PQconsumeInput(io->pg) == 0)
        return RC_TRANSIENT;
    int left = PQflush(io->pg);
    io->events = left == 1 ? POLLIN | POLLOUT : POLLIN;
    return left == 0 ? RC_OK : left == 1 ? RC_AGAIN : RC_TRANSIENT;
}

static void complain(struct pg_io *io, const PGresult *res, struct pg_answer *a)
{
    if (a->err.rc)
        return;
    pg_fail(io->pg, res, &a->err);
    (void)snprintf(a->sqlstate, sizeof a->sqlstate, "%s", pg_state(res));
}

static bool take_result(struct pg_io *io, PGresult *res, struct pg_answer *a)
{
    ExecStatusType status = PQresultStatus(res);
    if (status == PGRES_COPY_IN) {
        a->copy = true;
    } else if (status == PGRES_TUPLES_OK) {
        PQclear(a->rows);
        a->rows = res;
        return a->copy;
    } else if (status == PGRES_COMMAND_OK) {
        a->touched = pg_touched(res);
    } else {
        complain(io, res, a);
    }
    PQclear(res);
    return a->copy;
}

enum rc pg_io_answer(struct pg_io *io, struct pg_answer *a)
{
    for (;;) {
        enum rc rc = flush(io);
        if (rc == RC_TRANSIENT && PQstatus(io->pg) != CONNECTION_BAD)
            rc = RC_AGAIN;
        /* what the server said before it went is still to be read */
        if (rc != RC_TRANSIENT && PQisBusy(io->pg))
            return RC_AGAIN;
        PGresult *res = PQgetResult(io->pg);
        if (res == NULL) {
            if (PQstatus(io->pg) == CONNECTION_BAD)
                complain(io, NULL, a);
            return RC_OK;
        }
        if (take_result(io, res, a))
            return RC_OK;
    }
}

enum rc pg_io_copy(struct pg_io *io, struct str data, size_t *at, struct err *err)
{
    enum rc rc = flush(io);
    while (!rc && *at < data.n) {
        size_t n = data.n - *at < CHUNK ? data.n - *at : CHUNK;
        if (PQputCopyData(io->pg, data.p + *at, (int)n) != 1)
            return pg_fail(io->pg, NULL, err);
        *at += n;
        rc = flush(io);
    }
    if (!rc && PQputCopyEnd(io->pg, NULL) != 1)
        return pg_fail(io->pg, NULL, err);
    return rc == RC_TRANSIENT ? pg_fail(io->pg, NULL, err) : rc;
}
