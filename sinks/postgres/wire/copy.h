/* SPDX-License-Identifier: MIT */
/*
 * Talking to the server without waiting: statements, their answers, and COPY data under flow
 * control. At most one chunk is ever inside libpq, so that a slow server slows the sender instead
 * of filling its memory; input is drained while sending, so that neither side can block the other.
 */
#ifndef SINKS_POSTGRES_WIRE_COPY_H
#define SINKS_POSTGRES_WIRE_COPY_H

#include <libpq-fe.h>

#include "pipeline/base/buf.h"

struct pg_io {
    PGconn *pg;
    short events; /* what to wait for after RC_AGAIN */
};

/* What the server said to a statement, once it has said everything. */
struct pg_answer {
    struct err err;    /* rc RC_OK: no complaint */
    char sqlstate[6];  /* of the complaint; "" if the connection was lost */
    long long touched; /* rows of the last command */
    PGresult *rows;    /* of a query; owned */
    bool copy;         /* the server waits for COPY data */
};

void pg_answer_clear(struct pg_answer *a);

/*
 * Collects the answer to what was sent last. RC_OK: complete (or a->copy); RC_AGAIN. A
 * complaint, also a lost connection, is an answer like any other: see a->err.
 */
enum rc pg_io_answer(struct pg_io *io, struct pg_answer *a);

/* Sends data from *at on, then ends the COPY. RC_OK, RC_AGAIN, or RC_TRANSIENT: lost. */
enum rc pg_io_copy(struct pg_io *io, struct str data, size_t *at, struct err *err) MUST_CHECK;

#endif
