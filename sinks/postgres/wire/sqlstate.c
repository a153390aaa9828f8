/* SPDX-License-Identifier: MIT */
/*
 * What a SQLSTATE means for the run: a table of classes, most specific first.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
#include <stdlib.h>
#include <string.h>

#include "sinks/postgres/wire/connection.h"

static const struct {
    const char *prefix;
    enum rc rc;
    bool heals; /* worth another try by itself, without the operator */
    const char *hint;
} states[] = {
    {"08", RC_TRANSIENT, true, NULL},
    {"25006", RC_USAGE, false,
     "the server is read-only: connect to the primary (target_session_attrs=read-write)"},
    {"25P03", RC_TRANSIENT, true, NULL},
    {"28", RC_AUTH, false, "check user, password and the server's pg_hba.conf"},
    {"3D000", RC_USAGE, false, "create the database, or name another one"},
    {"40001", RC_TRANSIENT, true, NULL},
    {"40P01", RC_TRANSIENT, true, NULL},
    {"42501", RC_AUTH, false,
     "grant it, or use a role that may; renorm needs CREATE on the database and owns its "
     "tables"},
    {"53100", RC_TRANSIENT, false,
     "free space on the server, then run the same command again: it goes on where it stopped"},
    {"53300", RC_TRANSIENT, true, "use fewer workers, or raise max_connections"},
    {"53", RC_TRANSIENT, false, "the server is short of memory or space; then run it again"},
    {"55P03", RC_TRANSIENT, true, "others hold a lock on these tables: see pg_stat_activity"},
    {"57014", RC_TRANSIENT, true, "somebody cancelled it; run the same command again"},
    {"57P04", RC_SINK, false, "the database was dropped"},
    {"57P", RC_TRANSIENT, true, "the server went away; run the same command again"},
    {"58", RC_TRANSIENT, false, "the server has trouble with its files: see its log"},
};

static int find(const char *sqlstate)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (strncmp(sqlstate, states[i].prefix, strlen(states[i].prefix)) == 0)
            return (int)i;
    }
    return -1;
}

enum rc pg_class(const char *sqlstate, const char **hint)
{
    int i = find(sqlstate);
    *hint = i < 0 ? NULL : states[i].hint;
    return i < 0 ? RC_SINK : states[i].rc;
}

bool pg_heals(const char *sqlstate)
{
    int i = find(sqlstate);
    return sqlstate[0] == 0 || (i >= 0 && states[i].heals);
}

bool pg_means_gone(const char *sqlstate)
{
    return strcmp(sqlstate, "3F000") == 0 || strcmp(sqlstate, "42P01") == 0;
}

bool pg_err_heals(const struct err *err)
{
    static const char mark[] = "(SQLSTATE ";
    const char *at = strstr(err->msg, mark);
    return err->rc == RC_TRANSIENT && (at == NULL || pg_heals(at + sizeof mark - 1));
}

const char *pg_state(const PGresult *res)
{
    const char *state = res ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
    return state ? state : "";
}

static const char *field(const PGresult *res, int code)
{
    const char *text = PQresultErrorField(res, code);
    return text ? text : "";
}

static enum rc lost(PGconn *pg, struct err *err)
{
    char text[512];
    (void)snprintf(text, sizeof text, "%s", PQerrorMessage(pg));
    text[strcspn(text, "\n")] = 0;
    err_set(err, RC_TRANSIENT, "the connection to PostgreSQL was lost: %s", text);
    return err_hint(err, "run the same command again: it goes on where it stopped");
}

enum rc pg_fail(PGconn *pg, const PGresult *res, struct err *err)
{
    const char *state = pg_state(res), *hint = NULL;
    if (state[0] == 0)
        return lost(pg, err);
    const char *detail = field(res, PG_DIAG_MESSAGE_DETAIL);
    const char *server_hint = field(res, PG_DIAG_MESSAGE_HINT);
    enum rc rc = pg_class(state, &hint);
    err_set(err, rc, "PostgreSQL: %s%s%s (SQLSTATE %s)", field(res, PG_DIAG_MESSAGE_PRIMARY),
            detail[0] ? ": " : "", detail, state);
    if (hint || server_hint[0])
        err_hint(err, "%s", hint ? hint : server_hint);
    return rc;
}

struct str pg_text(const PGresult *res, int row, int col)
{
    return str_make(PQgetvalue(res, row, col), (size_t)PQgetlength(res, row, col));
}

long long pg_number(const PGresult *res, int row, int col)
{
    return strtoll(PQgetvalue(res, row, col), NULL, 10);
}

long long pg_touched(PGresult *res)
{
    return strtoll(PQcmdTuples(res), NULL, 10);
}
