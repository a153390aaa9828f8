/* SPDX-License-Identifier: MIT */
/*
 * COPY TO STDOUT in binary, cut into rows. The server may put header and rows into messages as it
 * likes, so messages are gathered until a whole row is there.
 */
#include "sinks/postgres/read/table_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/ddl/ddl.h"
#include "sinks/postgres/ledger/ledger_find.h"
#include "sinks/postgres/read/run_of_tables.h"
#include "sinks/postgres/wire/binary.h"
#include "sinks/postgres/wire/connection.h"
#include "sql.inc"

struct pg_reader {
    struct pg_target target;
    const char *schema;
    PGconn *pg;
    PGresult *run;
    const struct table *table; /* NULL: rejects */
    struct buf bytes;
    size_t at;
    bool header, copying;
    bool replaced;   /* the run made the tables, so their columns are its own */
    char lacks[256]; /* what is wrong with the table begun last; empty: nothing */
};

void pg_reader_close(struct pg_reader *r)
{
    if (r == NULL)
        return;
    PQclear(r->run);
    PQfinish(r->pg);
    pg_target_release(&r->target);
    buf_release(&r->bytes);
    free(r);
}

enum rc pg_reader_open(const char *conninfo, const char *schema, struct pg_reader **out,
                       struct err *err)
{
    struct pg_reader *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return err_nomem(err);
    buf_init(&r->bytes, BUF_NO_LIMIT);
    r->schema = schema;
    enum rc rc = pg_target_init(&r->target, conninfo, NULL, 0, err);
    if (!rc)
        rc = pg_connect(&r->target, "renorm read", &r->pg, err);
    /* one snapshot serves all tables */
    if (!rc)
        rc = pg_exec(r->pg, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", err);
    if (rc) {
        pg_reader_close(r);
        return rc;
    }
    *out = r;
    return RC_OK;
}

enum rc pg_reader_run(struct pg_reader *r, const struct schema *of, struct pg_run_info *out,
                      struct err *err)
{
    PQclear(r->run);
    r->run = NULL;
    enum rc rc = pg_run_of_tables(r->pg, r->schema, of, &r->run, err);
    if (rc)
        return rc;
    r->replaced = str_is(pg_text(r->run, 0, 6), "t");
    *out = (struct pg_run_info){.run = pg_number(r->run, 0, 0),
                                .model_hash = pg_text(r->run, 0, 1),
                                .source_identity = pg_text(r->run, 0, 2),
                                .options = pg_text(r->run, 0, 3),
                                .now_us = pg_number(r->run, 0, 4),
                                .duplicates = pg_text(r->run, 0, 5)};
    return RC_OK;
}

static enum rc more(struct pg_reader *r, struct err *err);

/* Rows nobody wanted any more. */
static void drain(struct pg_reader *r)
{
    struct err ignored;
    while (r->copying && !more(r, &ignored))
        buf_clear(&r->bytes);
}

static enum rc begin_copy(struct pg_reader *r, const char *sql, struct err *err)
{
    drain(r);
    PGresult *res = PQexec(r->pg, sql);
    enum rc rc = PQresultStatus(res) == PGRES_COPY_OUT ? RC_OK : pg_fail(r->pg, res, err);
    PQclear(res);
    buf_clear(&r->bytes);
    r->at = 0;
    r->header = false;
    r->copying = !rc;
    return rc;
}

const char *pg_reader_lacks(const struct pg_reader *r)
{
    return r->lacks[0] ? r->lacks : NULL;
}

/* The row of `columns` with that name, -1 if there is none. */
static int among(const PGresult *columns, const struct pg_name *name)
{
    for (int i = 0; i < PQntuples(columns); i++) {
        if (str_eq(pg_text(columns, i, 0), str_make(name->text, name->n)))
            return i;
    }
    return -1;
}

static void look_at(struct pg_reader *r, const PGresult *columns, const struct column *c)
{
    struct pg_name name = pg_name_fit(c->name, NULL);
    int at = among(columns, &name);
    if (at < 0) {
        (void)snprintf(r->lacks, sizeof r->lacks, "column \"%s\" is missing", name.text);
    } else if (!pg_ddl_type_is(c, PQgetvalue(columns, at, 1), true)) {
        (void)snprintf(r->lacks, sizeof r->lacks, "column \"%s\" is %.100s, the model says %s",
                       name.text, PQgetvalue(columns, at, 1), column_type_name(c->type));
    }
}

/* A column that somebody added holds what no source says; other modes leave room for such. */
static void look_for_added(struct pg_reader *r, const PGresult *columns, const struct table *t)
{
    for (int k = 0; k < PQntuples(columns) && !r->lacks[0]; k++) {
        bool ours = false;
        for (uint32_t i = 0; i < t->ncolumns && !ours; i++) {
            struct pg_name name = pg_name_fit(t->columns[i].name, NULL);
            ours = strcmp(name.text, PQgetvalue(columns, k, 0)) == 0;
        }
        if (!ours) {
            (void)snprintf(r->lacks, sizeof r->lacks, "column \"%.63s\" is not of the model",
                           PQgetvalue(columns, k, 0));
        }
    }
}

/* Asked beforehand: an error would end the transaction, and the other tables with it. */
static enum rc look_for(struct pg_reader *r, const struct table *t, struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    struct pg_name schema = pg_name_fit(str_of(r->schema), NULL);
    const char *params[] = {schema.text, name.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_columns, params, 2, &res, err);
    (void)snprintf(r->lacks, sizeof r->lacks, "%s",
                   rc || PQntuples(res) > 0 ? "" : "the table is missing");
    for (uint32_t i = 0; !rc && !r->lacks[0] && i < t->ncolumns; i++)
        look_at(r, res, &t->columns[i]);
    if (!rc && r->replaced)
        look_for_added(r, res, t);
    PQclear(res);
    return rc;
}

enum rc pg_reader_table(struct pg_reader *r, const struct table *t, struct err *err)
{
    struct buf sql;
    drain(r);
    enum rc rc = look_for(r, t, err);
    if (rc || r->lacks[0])
        return rc;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "COPY (SELECT ");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        buf_puts(&sql, i ? ", " : "");
        pg_add_ident(&sql, t->columns[i].name);
    }
    buf_puts(&sql, " FROM ");
    pg_add_qualified(&sql, str_of(r->schema), t->name);
    buf_puts(&sql, ") TO STDOUT (FORMAT binary)");
    r->table = t;
    rc = buf_check(&sql, err);
    if (!rc)
        rc = begin_copy(r, buf_cstr(&sql), err);
    buf_release(&sql);
    return rc;
}

static enum rc end_copy(struct pg_reader *r, struct err *err)
{
    enum rc rc = RC_END;
    r->copying = false;
    for (PGresult *res = PQgetResult(r->pg); res; res = PQgetResult(r->pg)) {
        if (PQresultStatus(res) != PGRES_COMMAND_OK && rc == RC_END)
            rc = pg_fail(r->pg, res, err);
        PQclear(res);
    }
    return rc;
}

/* One more message. RC_END: that was all. */
static enum rc more(struct pg_reader *r, struct err *err)
{
    char *message = NULL;
    if (!r->copying)
        return RC_END;
    int n = PQgetCopyData(r->pg, &message, 0);
    if (n == -1)
        return end_copy(r, err);
    if (n < 0)
        return pg_fail(r->pg, NULL, err);
    buf_add(&r->bytes, message, (size_t)n);
    PQfreemem(message);
    return buf_check(&r->bytes, err);
}

/* Makes sure that n bytes are there from r->at on. */
static enum rc need(struct pg_reader *r, size_t n, struct err *err)
{
    while (r->bytes.len - r->at < n) {
        enum rc rc = more(r, err);
        if (rc == RC_END)
            return err_set(err, RC_SINK, "the server ended a COPY in the middle of a row");
        if (rc)
            return rc;
    }
    return RC_OK;
}

static uint32_t peek32(const struct pg_reader *r, size_t at)
{
    const unsigned char *p = (const unsigned char *)r->bytes.p + at;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static enum rc skip_header(struct pg_reader *r, struct err *err)
{
    enum rc rc = need(r, PG_HEADER_BYTES, err);
    size_t extra = rc ? 0 : peek32(r, r->at + 15);
    if (!rc)
        rc = need(r, PG_HEADER_BYTES + extra, err);
    r->at += PG_HEADER_BYTES + extra;
    r->header = true;
    return rc;
}

/* Brings a whole row of n fields into memory; *start is where its first field is. */
static enum rc gather(struct pg_reader *r, uint32_t n, size_t *start, struct err *err)
{
    /* the caller no longer needs the row that was handed out */
    if (r->at > 0) {
        memmove(r->bytes.p, r->bytes.p + r->at, r->bytes.len - r->at);
        r->bytes.len -= r->at;
        r->at = 0;
    }
    enum rc rc = r->header ? RC_OK : skip_header(r, err);
    if (!rc)
        rc = need(r, 2, err);
    if (rc)
        return rc;
    const unsigned char *p = (const unsigned char *)r->bytes.p + r->at;
    uint32_t fields = (uint32_t)p[0] << 8 | p[1];
    r->at += 2;
    if (fields == UINT16_MAX) {
        do {
            rc = more(r, err);
        } while (!rc);
        return rc;
    }
    if (fields != n)
        return err_set(err, RC_SINK, "the server sent %u fields, not %u", fields, n);
    size_t from = r->at;
    for (uint32_t i = 0; !rc && i < n; i++) {
        rc = need(r, 4, err);
        uint32_t len = rc ? 0 : peek32(r, r->at);
        r->at += 4;
        if (!rc && len != UINT32_MAX) {
            rc = need(r, len, err);
            r->at += len;
        }
    }
    *start = from;
    return rc;
}

static struct str field_at(const struct pg_reader *r, size_t *at)
{
    uint32_t len = peek32(r, *at);
    struct str field = {NULL, 0};
    *at += 4;
    if (len != UINT32_MAX) {
        field = str_make(r->bytes.p + *at, len);
        *at += len;
    }
    return field;
}

enum rc pg_reader_next(struct pg_reader *r, struct arena *a, struct datum *cells,
                       struct err *err)
{
    size_t at = 0;
    enum rc rc = gather(r, r->table->ncolumns, &at, err);
    for (uint32_t i = 0; !rc && i < r->table->ncolumns; i++)
        rc = pg_binary_read(r->table->columns[i].type, field_at(r, &at), a, &cells[i], err);
    return rc;
}

enum rc pg_reader_reject_info(struct pg_reader *r, long long run, struct pg_reject_info *out,
                              struct err *err)
{
    char number[24];
    const char *params[] = {number};
    PGresult *res = NULL;
    bool there = false;
    (void)snprintf(number, sizeof number, "%lld", run);
    enum rc rc = pg_ledger_find(r->pg, false, &there, err);
    if (!rc && there)
        rc = pg_query(r->pg, sql_reject_info, params, 1, &res, err);
    if (!rc && (!there || PQntuples(res) == 0)) {
        rc = err_set(err, RC_USAGE, "there are no rejects to read");
        err_hint(err, "\"renorm status\" lists the runs; --run names one of them");
    }
    if (!rc) {
        *out = (struct pg_reject_info){.run = pg_number(res, 0, 0),
                                       .items = (uint64_t)pg_number(res, 0, 1),
                                       .bytes = (uint64_t)pg_number(res, 0, 2),
                                       .unrouted = (uint64_t)pg_number(res, 0, 3)};
    }
    PQclear(res);
    return rc;
}

enum rc pg_reader_rejects(struct pg_reader *r, long long run, uint64_t skip, struct err *err)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "COPY (SELECT item FROM renorm.reject WHERE run = %lld "
                   "ORDER BY segment, position, ctid OFFSET %llu) TO STDOUT (FORMAT binary)",
                   run, (unsigned long long)skip);
    r->table = NULL;
    return begin_copy(r, sql, err);
}

enum rc pg_reader_item(struct pg_reader *r, struct str *item, struct err *err)
{
    size_t at = 0;
    enum rc rc = gather(r, 1, &at, err);
    if (!rc)
        *item = field_at(r, &at);
    return rc;
}

enum rc pg_reader_kept(struct pg_reader *r, long long run, struct err *err)
{
    char sql[160];
    drain(r);
    (void)snprintf(sql, sizeof sql,
                   "COPY (SELECT kind, reason, item FROM renorm.reject WHERE run = %lld) "
                   "TO STDOUT (FORMAT binary)",
                   run);
    r->table = NULL;
    return begin_copy(r, sql, err);
}

enum rc pg_reader_kept_next(struct pg_reader *r, struct pg_kept_item *out, struct err *err)
{
    size_t at = 0;
    enum rc rc = gather(r, 3, &at, err);
    if (rc)
        return rc;
    out->unrouted = str_is(field_at(r, &at), "unrouted");
    out->reason = field_at(r, &at);
    out->bytes = field_at(r, &at);
    return RC_OK;
}
