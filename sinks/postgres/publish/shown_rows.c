/* SPDX-License-Identifier: MIT */
/*
 * What readers see now, for the guards. A run that replaced everything knew how many rows it showed;
 * after others the tables are counted.
 */
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

static const struct table *find_table(const struct schema *s, struct str name)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        if (str_eq(s->tables[i].name, name) && s->tables[i].kind != TABLE_CONFLICT)
            return &s->tables[i];
    }
    return NULL;
}

/* Did the last run make all of them? One of some entities has left the others as they were. */
static bool has_all(const struct schema *s, const struct shown *out)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        size_t k = 0;
        while (k < out->n && !str_eq(out->tables[k].name, s->tables[i].name))
            k++;
        if (k == out->n && s->tables[i].kind != TABLE_CONFLICT)
            return false;
    }
    return true;
}

/* *known: the last run that was shown has replaced what was there. */
static enum rc read_totals(struct pg_run *r, struct shown *out, bool *known, struct err *err)
{
    const char *params[] = {r->schema_name.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_shown_totals, params, 1, &res, err);
    *known = !rc && PQntuples(res) > 0;
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        if (find_table(r->schema, pg_text(res, i, 0)))
            rc = shown_add(out, pg_text(res, i, 0), (uint64_t)pg_number(res, i, 1), err);
    }
    PQclear(res);
    if (*known && !has_all(r->schema, out)) {
        *known = false;
        shown_release(out);
        shown_init(out);
    }
    return rc;
}

enum rc pg_target_rows(struct pg_run *r, uint32_t table, uint64_t *rows, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text};
    PGresult *res = NULL;
    struct buf sql;
    *rows = 0;
    enum rc rc = pg_query(r->pg, sql_target_columns, params, 2, &res, err);
    bool there = !rc && PQntuples(res) > 0;
    PQclear(res);
    if (rc || !there)
        return rc;
    res = NULL;
    buf_init(&sql, 4096);
    buf_puts(&sql, "SELECT count(*) FROM ");
    pg_add_qualified(&sql, pg_name_view(&r->schema_name), t->name);
    rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *rows = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

static enum rc count_tables(struct pg_run *r, struct shown *out, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        uint64_t rows = 0;
        if (r->schema->tables[i].kind == TABLE_CONFLICT)
            continue;
        rc = pg_target_rows(r, i, &rows, err);
        if (!rc)
            rc = shown_add(out, r->schema->tables[i].name, rows, err);
    }
    return rc;
}

/* A merge that deletes what is missing guards what it deletes itself, as it does so. */
enum rc pg_shown(struct pg_run *r, struct shown *out, struct err *err)
{
    bool known = false;
    enum rc rc = pg_run_reconnect(r, err);
    if (!rc)
        rc = read_totals(r, out, &known, err);
    if (!rc && !known)
        rc = count_tables(r, out, err);
    if (r->opts.mode == PG_MERGE)
        out->n = 0;
    return rc;
}
