/* SPDX-License-Identifier: MIT */
/*
 * A look at the target before anything is loaded: tables that are not ours are never touched, and
 * whatever would be lost or would stop the publish is told now, not hours later.
 */
#include "sinks/pg_target.h"

#include <string.h>

#include "sql.inc"

void pg_table_names(struct buf *b, const struct schema *s)
{
    buf_putc(b, '{');
    for (uint32_t i = 0; i < s->ntables; i++) {
        struct pg_name name = pg_name_fit(s->tables[i].name, NULL);
        buf_puts(b, i ? ",\"" : "\"");
        for (size_t k = 0; k < name.n; k++) {
            if (name.text[k] == '"' || name.text[k] == '\\')
                buf_putc(b, '\\');
            buf_putc(b, name.text[k]);
        }
        buf_putc(b, '"');
    }
    buf_putc(b, '}');
}

static enum rc in_the_way(const struct pg_run *r, const PGresult *res, int i, struct err *err)
{
    const char *name = PQgetvalue(res, i, 0);
    bool table = str_is(pg_text(res, i, 1), "t"), ours = str_is(pg_text(res, i, 2), "t");
    if (!table || !ours) {
        err_set(err, RC_USAGE, "\"%s\".\"%s\" is in the way: renorm has not made it",
                r->schema_name.text, name);
        return err_hint(err, "rename or drop it, or choose another schema with --schema");
    }
    if (!str_is(pg_text(res, i, 3), "t")) {
        err_set(err, RC_AUTH, "table \"%s\".\"%s\" belongs to role \"%s\"", r->schema_name.text,
                name, PQgetvalue(res, i, 4));
        return err_hint(err, "only its owner, or a member of that role, can replace it");
    }
    return RC_OK;
}

static enum rc check_strangers(struct pg_run *r, const char *names, struct err *err)
{
    const char *params[] = {r->schema_name.text, names};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_strangers, params, 2, &res, err);
    if (!rc && PQntuples(res) > 0) {
        struct buf list;
        buf_init(&list, 1400);
        for (int i = 0; i < PQntuples(res) && list.rc == RC_OK; i++)
            buf_addf(&list, "\n  %s", PQgetvalue(res, i, 0));
        rc = err_set(err, RC_USAGE, "these hang on the tables of \"%s\" and would be lost:%s",
                     r->schema_name.text, list.rc ? "\n  (too many to list)" : buf_cstr(&list));
        err_hint(err, "drop them and make them again afterwards, or use --mode merge");
        buf_release(&list);
    }
    PQclear(res);
    return rc;
}

static const struct column *column_named(const struct table *t, struct str name)
{
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        struct pg_name fit = pg_name_fit(t->columns[i].name, NULL);
        if (str_eq(pg_name_view(&fit), name))
            return &t->columns[i];
    }
    return NULL;
}

static enum rc refuse_type(const struct pg_run *r, const struct table *t,
                           const struct column *c, const char *is, struct err *err)
{
    struct buf sql;
    const char *type = col_type_name(c->type);
    buf_init(&sql, 4096);
    buf_puts(&sql, "ALTER TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->schema_name), t->name);
    buf_puts(&sql, " ALTER COLUMN ");
    pg_add_ident(&sql, c->name);
    buf_addf(&sql, " TYPE %s USING ", type);
    pg_add_ident(&sql, c->name);
    buf_addf(&sql, "::%s;", type);
    err_set(err, RC_USAGE, "column \"%.*s\" of table \"%.*s\" is %s, the model says %s",
            STR_FMT(c->name), STR_FMT(t->name), is, type);
    err_hint(err, "this would change it: %s", buf_cstr(&sql));
    buf_release(&sql);
    return RC_USAGE;
}

/* Append and merge: columns of one name have one type; missing ones are added when publishing. */
static enum rc check_columns(struct pg_run *r, const struct table *t, struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_columns, params, 2, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        const struct column *c = column_named(t, pg_text(res, i, 0));
        const char *wanted = c ? col_type_name(c->type) : NULL;
        const char *is = PQgetvalue(res, i, 1);
        if (wanted && strcmp(wanted, "timestamptz") == 0)
            wanted = "timestamp with time zone";
        if (wanted && strcmp(wanted, is) != 0)
            rc = refuse_type(r, t, c, is, err);
    }
    PQclear(res);
    return rc;
}

static enum rc check_key(struct pg_run *r, const struct table *t, struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_key, params, 2, &res, err);
    if (!rc && pg_number(res, 0, 0) == 0) {
        struct buf sql;
        buf_init(&sql, 4096);
        pg_ddl_key(&sql, pg_name_view(&r->schema_name), r->schema,
                   (uint32_t)(t - r->schema->tables));
        rc = err_set(err, RC_USAGE, "table \"%s\" has no primary key to merge by", name.text);
        err_hint(err, "%s", buf_cstr(&sql));
        buf_release(&sql);
    }
    PQclear(res);
    return rc;
}

static const struct table *table_named(const struct schema *s, struct str name)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        struct pg_name fit = pg_name_fit(s->tables[i].name, NULL);
        if (str_eq(pg_name_view(&fit), name))
            return &s->tables[i];
    }
    return NULL;
}

static enum rc check_existing(struct pg_run *r, const PGresult *res, int i, struct err *err)
{
    const struct table *t = table_named(r->schema, pg_text(res, i, 0));
    enum rc rc = in_the_way(r, res, i, err);
    if (rc || t == NULL || r->opts.mode == PG_REPLACE)
        return rc;
    rc = check_columns(r, t, err);
    if (!rc && r->opts.mode == PG_MERGE && t->kind != TABLE_CONFLICT)
        rc = check_key(r, t, err);
    return rc;
}

static enum rc check_merge(const struct pg_run *r, struct err *err)
{
    for (uint32_t i = 0; r->opts.mode == PG_MERGE && i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        if (t->nkey > 0 || t->kind == TABLE_CONFLICT || t->kind == TABLE_CHILD)
            continue;
        err_set(err, RC_USAGE, "table \"%.*s\" has no primary_key in the model",
                STR_FMT(t->name));
        return err_hint(err, "--mode merge needs one to tell old rows from new ones");
    }
    return RC_OK;
}

enum rc pg_precheck(struct pg_run *r, struct err *err)
{
    struct buf names;
    PGresult *res = NULL;
    buf_init(&names, 1 << 20);
    pg_table_names(&names, r->schema);
    const char *params[] = {r->schema_name.text, buf_cstr(&names)};
    enum rc rc = check_merge(r, err);
    if (!rc)
        rc = pg_query(r->pg, sql_target_tables, params, 2, &res, err);
    for (int i = 0; !rc && i < PQntuples(res); i++)
        rc = check_existing(r, res, i, err);
    if (!rc && r->opts.mode == PG_REPLACE)
        rc = check_strangers(r, buf_cstr(&names), err);
    PQclear(res);
    buf_release(&names);
    return rc;
}
