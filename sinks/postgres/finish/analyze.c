/* SPDX-License-Identifier: MIT */
/*
 * Statistics of all staged tables, over a few connections at once: each ANALYZE keeps one core of
 * the server busy, and a swap must not wait for them one after the other. Where no further
 * connection is to be had, the run's own does them all.
 */
#include <poll.h>
#include <string.h>

#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/wire/copy.h"

enum { LANES = 4 };

struct lanes {
    struct pg_io io[LANES];
    bool busy[LANES];
    uint32_t n;
};

static void add_statement(struct buf *sql, const struct pg_run *r, uint32_t table)
{
    buf_clear(sql);
    buf_puts(sql, "ANALYZE ");
    pg_add_qualified(sql, pg_name_view(&r->staging), r->schema->tables[table].name);
}

static void open_lanes(struct lanes *l, struct pg_run *r)
{
    memset(l, 0, sizeof *l);
    for (uint32_t i = 0; i < LANES && i < r->schema->ntables; i++) {
        struct err ignored;
        PGconn *pg = NULL;
        if (pg_connect(&r->target, "renorm analyze", &pg, &ignored))
            return;
        if (PQsetnonblocking(pg, 1) != 0) {
            PQfinish(pg);
            return;
        }
        l->io[l->n++].pg = pg;
    }
}

/* Gives each idle lane a table. */
static void deal(struct lanes *l, const struct pg_run *r, uint32_t *next, struct buf *sql)
{
    for (uint32_t i = 0; i < l->n && *next < r->schema->ntables; i++) {
        if (l->busy[i])
            continue;
        add_statement(sql, r, (*next)++);
        (void)PQsendQuery(l->io[i].pg, buf_cstr(sql));
        l->busy[i] = true;
    }
}

/* Takes the answers that are there. */
static enum rc collect(struct lanes *l, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < l->n; i++) {
        struct pg_answer answer;
        if (!l->busy[i])
            continue;
        memset(&answer, 0, sizeof answer);
        if (!pg_io_answer(&l->io[i], &answer)) {
            l->busy[i] = false;
            if (answer.err.rc)
                *err = answer.err;
            rc = answer.err.rc;
        }
        pg_answer_clear(&answer);
    }
    return rc;
}

/* Waits for any lane; false if none is busy. */
static bool wait_any(const struct lanes *l)
{
    struct pollfd fds[LANES];
    nfds_t n = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->busy[i])
            fds[n++] = (struct pollfd){.fd = PQsocket(l->io[i].pg), .events = l->io[i].events};
    }
    if (n > 0)
        (void)poll(fds, n, 1000);
    return n > 0;
}

enum rc pg_analyze(struct pg_run *r, struct err *err)
{
    struct lanes l;
    struct buf sql;
    uint32_t next = 0;
    enum rc rc = RC_OK;
    buf_init(&sql, 4096);
    open_lanes(&l, r);
    do {
        deal(&l, r, &next, &sql);
        rc = collect(&l, err);
    } while (!rc && wait_any(&l));
    for (; !rc && l.n == 0 && next < r->schema->ntables; next++) {
        add_statement(&sql, r, next);
        rc = pg_exec_buf(r->pg, &sql, err);
    }
    for (uint32_t i = 0; i < l.n; i++)
        PQfinish(l.io[i].pg);
    buf_release(&sql);
    return rc;
}
