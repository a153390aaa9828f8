/* SPDX-License-Identifier: MIT */
/*
 * libpq behind a small face. A connection string may carry a password, and libpq quotes parts of
 * a string it cannot read: so its text is never passed on for those, and the password is blotted
 * out of everything else.
 */
#include "sinks/postgres/wire/connection.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* What a server or role may have set otherwise; the path is empty, so that every name is meant
   as written. */
static const char pinned[] = "SET search_path = pg_catalog, pg_temp;"
                             "SET timezone = 'UTC';"
                             "SET datestyle = 'ISO, YMD';"
                             "SET extra_float_digits = 3;"
                             "SET bytea_output = 'hex';"
                             "SET standard_conforming_strings = on;"
                             "SET default_transaction_isolation = 'read committed';"
                             "SET statement_timeout = 0;"
                             "SET lock_timeout = 0;"
                             "SET client_min_messages = warning;"
                             "SET row_security = off;";

static enum rc read_conninfo(struct pg_target *t, struct err *err)
{
    char *why = NULL;
    PQconninfoOption *opts = PQconninfoParse(t->conninfo, &why);
    PQfreemem(why);
    if (opts == NULL) {
        err_set(err, RC_USAGE, "the connection string cannot be read");
        return err_hint(err, "write postgresql://user@host:port/database or "
                             "\"host=... dbname=... user=...\"; passwords belong in PGPASSWORD "
                             "or ~/.pgpass");
    }
    for (PQconninfoOption *o = opts; o->keyword; o++) {
        if (o->val && strcmp(o->keyword, "password") == 0 && o->val[0] != 0)
            t->secret = strdup(o->val);
        if (o->val && strcmp(o->keyword, "dbname") == 0)
            (void)snprintf(t->database, sizeof t->database, "%s", o->val);
    }
    PQconninfoFree(opts);
    return RC_OK;
}

enum rc pg_target_init(struct pg_target *t, const char *conninfo,
                       const char *synchronous_commit, unsigned idle_s, struct err *err)
{
    struct buf b;
    memset(t, 0, sizeof *t);
    buf_init(&b, 1 << 16);
    buf_puts(&b, pinned);
    buf_addf(&b, "SET idle_in_transaction_session_timeout = %u;", idle_s * 1000);
    if (synchronous_commit)
        buf_addf(&b, "SET synchronous_commit = %s;", synchronous_commit);
    t->conninfo = strdup(conninfo);
    t->settings = strdup(buf_cstr(&b));
    buf_release(&b);
    enum rc rc = t->conninfo && t->settings ? RC_OK : err_nomem(err);
    if (!rc)
        rc = read_conninfo(t, err);
    return rc;
}

void pg_target_release(struct pg_target *t)
{
    if (t->secret)
        memset(t->secret, 0, strlen(t->secret));
    if (t->conninfo)
        memset(t->conninfo, 0, strlen(t->conninfo));
    free(t->secret);
    free(t->conninfo);
    free(t->settings);
    memset(t, 0, sizeof *t);
}

PGconn *pg_connect_start(const struct pg_target *t, const char *name)
{
    /* what stands before dbname may be overridden by the string, what stands behind may not */
    const char *keywords[] = {"connect_timeout",
                              "tcp_user_timeout",
                              "keepalives_idle",
                              "dbname",
                              "application_name",
                              "client_encoding",
                              NULL};
    const char *values[] = {"20", "60000", "30", t->conninfo, name, "UTF8", NULL};
    PGconn *pg = PQconnectStartParams(keywords, values, 1);
    /* a failed connection has no fields to ask for its SQLSTATE: it has to be in the text */
    if (pg)
        (void)PQsetErrorVerbosity(pg, PQERRORS_VERBOSE);
    return pg;
}

/* Some failures are libpq's own and have no SQLSTATE, and the text tells more of what to do; a
   server that speaks another language is understood by the state alone. */
static enum rc connect_class(const char *text, const char *state, const char **hint)
{
    static const struct {
        const char *part;
        enum rc rc;
        const char *hint;
    } table[] = {
        /* first: some of these name the role or the database as well */
        {"too many connections for", RC_TRANSIENT,
         "use fewer workers, or raise the CONNECTION LIMIT of the role or database"},
        {"too many clients", RC_TRANSIENT, "use fewer workers, or raise max_connections"},
        {"remaining connection slots", RC_TRANSIENT,
         "use fewer workers, or raise max_connections"},
        {"certificate verify failed", RC_AUTH,
         "another authority signed the server's certificate than sslrootcert names"},
        {"does not match host name", RC_AUTH,
         "connect by the name in the server's certificate, or with sslmode=verify-ca"},
        {"root certificate file", RC_USAGE,
         "name the authority of the server's certificate with sslrootcert"},
        {"does not support SSL", RC_USAGE,
         "the server has TLS switched off, and sslmode asks for it"},
        {"definition of service", RC_USAGE,
         "PGSERVICEFILE names the file of services, else ~/.pg_service.conf"},
        {"password", RC_AUTH,
         "set PGPASSWORD, ~/.pgpass or a service; check user and password"},
        {"authentication failed", RC_AUTH, "check user and the server's pg_hba.conf"},
        {"no pg_hba.conf entry", RC_AUTH,
         "the server's pg_hba.conf must allow this host and user"},
        {"permission denied", RC_AUTH, "the role needs CONNECT on the database"},
        {"role \"", RC_AUTH, "create the role, or name another user"},
        {"database \"", RC_USAGE, "create the database, or name another one"},
        {"could not translate host name", RC_TRANSIENT, "check the host name"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strstr(text, table[i].part)) {
            *hint = table[i].hint;
            return table[i].rc;
        }
    }
    *hint = "is the server running, and reachable from here?";
    return state[0] ? pg_class(state, hint) : RC_TRANSIENT;
}

/* Takes "28P01: " and what tells the server's source lines out of a verbose text. */
static void take_state(char *text, char state[6])
{
    static const char location[] = "\nLOCATION:  ", mark[] = ":  ";
    for (char *at = strstr(text, mark); at; at = strstr(at, mark)) {
        at += sizeof mark - 1;
        size_t n = strspn(at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (n != 5 || at[5] != ':' || at[6] != ' ')
            continue;
        memcpy(state, at, 5);
        state[5] = 0;
        memmove(at, at + 7, strlen(at + 7) + 1);
    }
    for (char *at = strstr(text, location); at; at = strstr(at, location)) {
        const char *end = strchr(at + 1, '\n');
        memmove(at, end ? end : at + strlen(at), end ? strlen(end) + 1 : 1);
    }
}

static void blot(char *text, const char *secret)
{
    if (secret == NULL || secret[0] == 0)
        return;
    for (char *at = strstr(text, secret); at; at = strstr(at, secret))
        memset(at, '*', strlen(secret));
}

static void one_line(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == '\n')
        text[--n] = 0;
    for (char *p = text; *p; p++) {
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    }
}

static enum rc connect_failed(const struct pg_target *t, PGconn *pg, struct err *err)
{
    char text[1024], state[6] = "";
    const char *hint = NULL;
    (void)snprintf(text, sizeof text, "%s", pg ? PQerrorMessage(pg) : "out of memory");
    blot(text, t->secret);
    take_state(text, state);
    one_line(text);
    enum rc rc = connect_class(text, state, &hint);
    err_set(err, rc, "cannot connect to PostgreSQL: %s%s%s%s", text,
            state[0] ? " (SQLSTATE " : "", state, state[0] ? ")" : "");
    return hint ? err_hint(err, "%s", hint) : rc;
}

enum rc pg_connect_step(const struct pg_target *t, PGconn *pg, short *events, struct err *err)
{
    if (pg == NULL || PQstatus(pg) == CONNECTION_BAD)
        return connect_failed(t, pg, err);
    switch (PQconnectPoll(pg)) {
    case PGRES_POLLING_READING:
        *events = POLLIN;
        return RC_AGAIN;
    case PGRES_POLLING_WRITING:
        *events = POLLOUT;
        return RC_AGAIN;
    case PGRES_POLLING_OK:
        (void)PQsetErrorVerbosity(pg, PQERRORS_DEFAULT);
        if (PQsetnonblocking(pg, 1) != 0)
            return pg_fail(pg, NULL, err);
        return RC_OK;
    case PGRES_POLLING_FAILED:
    case PGRES_POLLING_ACTIVE:
        break;
    }
    return connect_failed(t, pg, err);
}

enum rc pg_connect(const struct pg_target *t, const char *name, PGconn **out, struct err *err)
{
    short events = POLLOUT;
    PGconn *pg = pg_connect_start(t, name);
    enum rc rc = pg ? RC_AGAIN : connect_failed(t, pg, err);
    int patience = 30;
    while (rc == RC_AGAIN && patience > 0) {
        rc = pg_connect_step(t, pg, &events, err);
        struct pollfd fd = {.fd = PQsocket(pg), .events = events};
        if (rc == RC_AGAIN && poll(&fd, 1, 1000) == 0)
            patience--;
    }
    if (rc == RC_AGAIN)
        rc = err_set(err, RC_TRANSIENT, "PostgreSQL does not answer within 30 s");
    if (!rc && PQsetnonblocking(pg, 0) != 0)
        rc = pg_fail(pg, NULL, err);
    if (!rc)
        rc = pg_exec(pg, t->settings, err);
    if (rc) {
        PQfinish(pg);
        pg = NULL;
    }
    *out = pg;
    return rc;
}

enum rc pg_exec(PGconn *pg, const char *sql, struct err *err)
{
    PGresult *res = PQexec(pg, sql);
    ExecStatusType status = PQresultStatus(res);
    enum rc rc =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? RC_OK : pg_fail(pg, res, err);
    PQclear(res);
    return rc;
}

enum rc pg_exec_buf(PGconn *pg, struct buf *sql, struct err *err)
{
    enum rc rc = buf_check(sql, err);
    return rc ? rc : pg_exec(pg, buf_cstr(sql), err);
}

enum rc pg_query(PGconn *pg, const char *sql, const char *const *params, int n, PGresult **out,
                 struct err *err)
{
    PGresult *res = PQexecParams(pg, sql, n, NULL, params, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(res);
    enum rc rc =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? RC_OK : pg_fail(pg, res, err);
    if (rc || out == NULL) {
        PQclear(res);
        res = NULL;
    }
    if (out)
        *out = res;
    return rc;
}
