/* SPDX-License-Identifier: MIT */
/*
 * Connections to PostgreSQL: made blocking (ledger, finish) or step by step (workers), with
 * everything pinned that a server or a user may have set differently; and what a SQLSTATE means
 * for the run. Passwords appear in no message.
 */
#ifndef SINKS_POSTGRES_WIRE_CONNECTION_H
#define SINKS_POSTGRES_WIRE_CONNECTION_H

#include <libpq-fe.h>
#include <stdbool.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/env.h"

/* Where to connect to. Read-only once made: shared by all threads. */
struct pg_target {
    char *conninfo;
    char *secret;       /* the password written in conninfo, never shown; may be NULL */
    char *settings;     /* statements run on each new connection */
    char database[256]; /* for messages */
};

/* Copies what it needs. RC_USAGE for a text libpq does not understand. */
enum rc pg_target_init(struct pg_target *t, const char *conninfo,
                       const char *synchronous_commit, unsigned idle_s,
                       struct err *err) MUST_CHECK;
void pg_target_release(struct pg_target *t);

/* Connects and pins the settings; blocks for at most some seconds. Returns owned. */
enum rc pg_connect(const struct pg_target *t, const char *name, PGconn **out,
                   struct err *err) MUST_CHECK;

/* Begins a connection without waiting; go on with pg_connect_step. NULL: out of memory. */
PGconn *pg_connect_start(const struct pg_target *t, const char *name);

/*
 * RC_AGAIN: wait for *events on the socket and call again. RC_OK: connected, non-blocking, but
 * the settings have not been sent yet.
 */
enum rc pg_connect_step(const struct pg_target *t, PGconn *pg, short *events,
                        struct err *err) MUST_CHECK;

/* Runs one or more statements; their rows are dropped. */
enum rc pg_exec(PGconn *pg, const char *sql, struct err *err) MUST_CHECK;
enum rc pg_exec_buf(PGconn *pg, struct buf *sql, struct err *err) MUST_CHECK;

/* One statement with text parameters (NULL: SQL NULL). *out is owned by the caller (PQclear);
   with out == NULL the rows are dropped. */
enum rc pg_query(PGconn *pg, const char *sql, const char *const *params, int n, PGresult **out,
                 struct err *err) MUST_CHECK;

/* Fields of a result as text and number; NULL gives "" and 0. Valid until PQclear. */
struct str pg_text(const PGresult *res, int row, int col);
long long pg_number(const PGresult *res, int row, int col);

/* Rows an INSERT, UPDATE, DELETE or COPY touched. */
long long pg_touched(PGresult *res);

/* Turns a failed result (or, with res NULL, a failed connection) into an error. */
enum rc pg_fail(PGconn *pg, const PGresult *res, struct err *err);

/* What can be done about it, by SQLSTATE; the hint is NULL where there is none. */
enum rc pg_class(const char *sqlstate, const char **hint);

/* True if the same statement, or a new connection, may succeed by itself in a while. */
bool pg_heals(const char *sqlstate);

/* The same of an error that pg_fail or pg_connect made. */
bool pg_err_heals(const struct err *err);

/* True if a schema or table is not there. */
bool pg_means_gone(const char *sqlstate);

/* SQLSTATE of the last failure on this connection, "" if it was the connection itself. */
const char *pg_state(const PGresult *res);

#endif
