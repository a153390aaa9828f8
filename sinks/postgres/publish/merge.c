/* SPDX-License-Identifier: MIT */
/*
 * Append and merge: staged rows into tables that are there already, in one transaction. Where new
 * rows replace old ones the children of staged parents are deleted first; then rows are upserted in
 * the order of the keys (two merges cannot deadlock), then the children inserted.
 */
#include <string.h>

#include "sinks/postgres/ddl/grants.h"
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

static enum rc exists(struct pg_run *r, const struct table *t, bool *yes, PGresult **columns,
                      struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text};
    enum rc rc = pg_query(r->pg, sql_target_columns, params, 2, columns, err);
    *yes = !rc && PQntuples(*columns) > 0;
    return rc;
}

static bool has_column(const PGresult *columns, struct str name)
{
    struct pg_name fit = pg_name_fit(name, NULL);
    for (int i = 0; i < PQntuples(columns); i++) {
        if (str_eq(pg_text(columns, i, 0), pg_name_view(&fit)))
            return true;
    }
    return false;
}

/* Known as the model's: people's own columns and comments outlive a replace, these do not. */
static void note_comment(struct buf *b, const struct pg_run *r, const struct table *t,
                         const struct column *c)
{
    struct pg_name name = pg_name_fit(c->name, NULL);
    struct buf table;
    buf_init(&table, 4096);
    pg_add_qualified(&table, pg_name_view(&r->schema_name), t->name);
    buf_puts(b, "UPDATE renorm.target AS g SET comments = g.comments || "
                "jsonb_build_object(a.attname, d.description) "
                "FROM pg_catalog.pg_attribute AS a LEFT JOIN pg_catalog.pg_description AS d "
                "ON d.objoid = a.attrelid AND d.objsubid = a.attnum "
                "AND d.classoid = 'pg_class'::regclass "
                "WHERE a.attrelid = g.relation AND a.attname = ");
    pg_add_literal(b, pg_name_view(&name));
    buf_puts(b, " AND g.relation = ");
    pg_add_literal(b, buf_view(&table));
    buf_puts(b, "::regclass;\n");
    buf_release(&table);
}

/* New columns of the model; rows that are there have nothing to put into them. */
static void add_columns(struct buf *b, const struct pg_run *r, const struct table *t,
                        const PGresult *columns)
{
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        if (has_column(columns, c->name))
            continue;
        buf_puts(b, "ALTER TABLE ");
        pg_add_qualified(b, pg_name_view(&r->schema_name), t->name);
        buf_puts(b, " ADD COLUMN ");
        pg_add_ident(b, c->name);
        buf_putc(b, ' ');
        pg_ddl_type(b, c);
        buf_puts(b, ";\n");
        pg_ddl_column_comment(b, pg_name_view(&r->schema_name), t, i);
        note_comment(b, r, t, c);
    }
}

/* References the model has got since: their columns are there by now. */
static enum rc add_indexes(struct pg_run *r, uint32_t table, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct pg_name name = pg_name_fit(t->name, NULL);
    enum rc rc = RC_OK;
    for (uint32_t k = 0; !rc && k < t->nreferences; k++) {
        const struct reference *ref = &t->references[k];
        PGresult *res = NULL;
        struct buf columns, sql;
        buf_init(&columns, 1 << 16);
        buf_init(&sql, 1 << 20);
        for (uint32_t i = 0; i < ref->n; i++) {
            buf_puts(&columns, i ? "," : "{");
            pg_add_element(&columns, t->columns[ref->columns[i]].name);
        }
        buf_putc(&columns, '}');
        const char *params[] = {r->schema_name.text, name.text, buf_cstr(&columns)};
        rc = pg_query(r->pg, sql_target_index, params, 3, &res, err);
        if (!rc && !str_is(pg_text(res, 0, 0), "t") &&
            pg_ddl_index(&sql, pg_name_view(&r->schema_name), r->schema, table, k))
            rc = pg_exec_buf(r->pg, &sql, err);
        PQclear(res);
        buf_release(&columns);
        buf_release(&sql);
    }
    return rc;
}

static enum rc make_table(struct pg_run *r, uint32_t table, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct str target = pg_name_view(&r->schema_name);
    struct buf sql, name;
    buf_init(&sql, 1 << 22);
    buf_init(&name, 4096);
    pg_ddl_table(&sql, target, t, PG_DDL_LOGGED, false);
    pg_ddl_comments(&sql, target, t);
    if (!r->opts.no_constraints && t->kind != TABLE_CONFLICT)
        pg_ddl_key(&sql, target, r->schema, table);
    for (uint32_t k = 0; !r->opts.no_constraints && k < t->nreferences; k++)
        (void)pg_ddl_index(&sql, target, r->schema, table, k);
    buf_putc(&name, '{');
    pg_add_element(&name, t->name);
    buf_putc(&name, '}');
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    if (!rc && t->kind == TABLE_CONFLICT)
        rc = pg_grants_away(r->pg, r->schema_name.text, buf_cstr(&name), err);
    buf_release(&sql);
    buf_release(&name);
    return rc;
}

/* Makes what is missing: tables with their keys, columns. */
static enum rc prepare(struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        PGresult *columns = NULL;
        struct buf sql;
        bool there = false;
        buf_init(&sql, 1 << 22);
        rc = exists(r, t, &there, &columns, err);
        if (!rc && there) {
            add_columns(&sql, r, t, columns);
        } else if (!rc) {
            rc = make_table(r, i, err);
        }
        if (!rc && sql.len > 0)
            rc = pg_exec_buf(r->pg, &sql, err);
        if (!rc && there && !r->opts.no_constraints)
            rc = add_indexes(r, i, err);
        PQclear(columns);
        buf_release(&sql);
    }
    return rc;
}

static enum rc lock_all(struct pg_run *r, const char *names, struct err *err)
{
    const char *params[] = {r->schema_name.text, names};
    PGresult *res = NULL;
    struct buf sql;
    buf_init(&sql, 1 << 22);
    enum rc rc = pg_query(r->pg, sql_target_tables, params, 2, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        buf_puts(&sql, i ? ", " : "LOCK TABLE ");
        pg_add_qualified(&sql, pg_name_view(&r->schema_name), pg_text(res, i, 0));
    }
    buf_puts(&sql, " IN SHARE ROW EXCLUSIVE MODE");
    if (!rc && PQntuples(res) > 0)
        rc = pg_exec_buf(r->pg, &sql, err);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

/* Rows of `t` in the target (alias a) whose key a staged row of `by` (alias s) has. */
static void add_delete_staged(struct buf *b, const struct pg_run *r, const struct table *t,
                              const struct table *by)
{
    buf_puts(b, "DELETE FROM ");
    pg_add_qualified(b, pg_name_view(&r->schema_name), t->name);
    buf_puts(b, " AS a USING ");
    pg_add_qualified(b, pg_name_view(&r->staging), by->name);
    buf_puts(b, " AS s WHERE ");
    pg_add_key_match(b, by, "a", "s");
    buf_puts(b, ";\n");
}

const struct table *pg_governs(const struct schema *s, uint32_t i)
{
    uint32_t at = i;
    if (s->tables[i].kind == TABLE_CHILD) {
        for (uint32_t n = 0; n <= s->ntables && s->tables[at].kind == TABLE_CHILD; n++)
            at = s->tables[at].parent;
        return &s->tables[at];
    }
    for (uint32_t x = 0; s->tables[i].kind == TABLE_CONFLICT && x < s->nextracts; x++) {
        if (s->extracts[x].conflict == i)
            return &s->tables[s->extracts[x].into];
    }
    return NULL;
}

static bool is_key(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return true;
    }
    return false;
}

static void add_update(struct buf *b, const struct table *t)
{
    bool first = true;
    buf_puts(b, " ON CONFLICT (");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ") DO ");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (is_key(t, i))
            continue;
        buf_puts(b, first ? "UPDATE SET " : ", ");
        pg_add_ident(b, t->columns[i].name);
        buf_puts(b, " = excluded.");
        pg_add_ident(b, t->columns[i].name);
        first = false;
    }
    if (first)
        buf_puts(b, "NOTHING");
}

bool pg_replaces(const struct pg_run *r)
{
    return r->opts.mode == PG_MERGE ||
           (r->opts.duplicates == PG_DUP_LAST && !r->opts.no_constraints);
}

static void add_insert(struct buf *b, const struct pg_run *r, const struct table *t)
{
    buf_puts(b, "INSERT INTO ");
    pg_add_qualified(b, pg_name_view(&r->schema_name), t->name);
    buf_puts(b, " AS a ("); /* the table itself may be called excluded */
    pg_ddl_columns(b, t, NULL, t->ncolumns, "");
    buf_puts(b, ") SELECT ");
    pg_ddl_columns(b, t, NULL, t->ncolumns, "s.");
    buf_puts(b, " FROM ");
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
    buf_puts(b, " AS s");
    bool upsert = t->nkey > 0 && t->kind != TABLE_CONFLICT && !r->opts.no_constraints;
    if (upsert) {
        buf_puts(b, " ORDER BY ");
        pg_ddl_columns(b, t, t->key, t->nkey, "s.");
    }
    if (upsert && pg_replaces(r)) {
        add_update(b, t);
    } else if (upsert && r->opts.duplicates == PG_DUP_FIRST) {
        buf_puts(b, " ON CONFLICT (");
        pg_ddl_columns(b, t, t->key, t->nkey, "");
        buf_puts(b, ") DO NOTHING");
    }
    buf_puts(b, ";\n");
}

static enum rc move_rows(struct pg_run *r, struct err *err)
{
    const struct schema *s = r->schema;
    struct buf sql;
    buf_init(&sql, 1 << 26);
    for (uint32_t i = pg_replaces(r) ? s->ntables : 0; i-- > 0;) {
        if (pg_governs(s, i))
            add_delete_staged(&sql, r, &s->tables[i], pg_governs(s, i));
    }
    for (uint32_t i = 0; i < s->ntables; i++)
        add_insert(&sql, r, &s->tables[i]);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    if (rc && strstr(err->msg, "(SQLSTATE 23505)")) {
        err->rc = rc = RC_FINISHED_BAD;
        err_hint(err,
                 "a staged row has a key that is there already: nothing was published; use "
                 "--duplicates first|last, or --mode merge");
    }
    return rc;
}

enum rc pg_merge(struct pg_run *r, struct verdict *v, struct sink_report *report,
                 struct err *err)
{
    struct buf names;
    char run[24];
    bool constraints = !r->opts.no_constraints;
    buf_init(&names, 1 << 20);
    pg_table_names(&names, r->schema);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    const char *params[] = {r->schema_name.text, buf_cstr(&names), run};
    /* only tables can be locked; whatever was made since is seen under those locks */
    enum rc rc = pg_precheck(r, err);
    if (!rc)
        rc = lock_all(r, buf_cstr(&names), err);
    if (!rc)
        rc = pg_precheck(r, err);
    if (!rc)
        rc = prepare(r, err);
    if (!rc)
        rc = pg_query(r->pg, sql_target_note, params, 3, NULL, err);
    if (!rc)
        rc = pg_existing_rows(r, report, err);
    if (!rc && constraints)
        rc = pg_references_away(r, err);
    if (!rc && r->opts.delete_missing)
        rc = pg_delete_missing(r, v, report, err);
    if (!rc)
        rc = move_rows(r, err);
    if (!rc && constraints)
        rc = pg_references_back(r, report, err);
    buf_release(&names);
    return rc;
}
