/* SPDX-License-Identifier: MIT */
/*
 * A look at the target before anything is loaded: tables that are not ours are never touched, and
 * whatever would be lost or would stop the publish is told now, not hours later.
 */
#include "sinks/postgres/publish/target.h"

#include <string.h>

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/type_table.h"
#include "sql.inc"

void pg_add_element(struct buf *b, struct str text)
{
    struct pg_name name = pg_name_fit(text, NULL);
    buf_putc(b, '"');
    for (size_t k = 0; k < name.n; k++) {
        if (name.text[k] == '"' || name.text[k] == '\\')
            buf_putc(b, '\\');
        buf_putc(b, name.text[k]);
    }
    buf_putc(b, '"');
}

void pg_table_names(struct buf *b, const struct schema *s)
{
    buf_putc(b, '{');
    for (uint32_t i = 0; i < s->ntables; i++) {
        buf_puts(b, i ? "," : "");
        pg_add_element(b, s->tables[i].name);
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

/* A list of what stands against the load is a refusal. */
static enum rc refuse_listed(struct pg_run *r, const PGresult *res, const char *what,
                             const char *hint, struct err *err)
{
    struct buf list;
    if (PQntuples(res) == 0)
        return RC_OK;
    buf_init(&list, 1400);
    for (int i = 0; i < PQntuples(res) && !list.rc; i++)
        buf_addf(&list, "\n  %s", PQgetvalue(res, i, 0));
    err_set(err, RC_USAGE, "%s \"%s\"%s%s", what, r->schema_name.text,
            list.rc ? "\n  (too many to list)" : "", list.rc ? "" : buf_cstr(&list));
    buf_release(&list);
    return err_hint(err, "%s", hint);
}

static enum rc check_strangers(struct pg_run *r, const char *names, struct err *err)
{
    const char *params[] = {r->schema_name.text, names};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_dependents, params, 2, &res, err);
    if (!rc) {
        rc =
            refuse_listed(r, res, "these would be lost, as they hang on tables of",
                          "drop them and make them again afterwards, or use --mode merge", err);
    }
    PQclear(res);
    return rc;
}

static enum rc check_rights(struct pg_run *r, const char *names, struct err *err)
{
    const char *params[] = {r->schema_name.text, names, r->opts.mode == PG_REPLACE ? "t" : "f"};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_rights, params, 3, &res, err);
    if (!rc) {
        rc = refuse_listed(r, res, "this would keep the run from publishing to schema",
                           "have the permission granted, or choose another schema with "
                           "--schema",
                           err);
    }
    PQclear(res);
    return rc;
}

/* Each column of the model with its table, as two arrays. */
static void model_columns(const struct schema *s, struct buf *tables, struct buf *columns)
{
    const char *comma = "{";
    for (uint32_t i = 0; i < s->ntables; i++) {
        for (uint32_t k = 0; k < s->tables[i].ncolumns; k++) {
            buf_puts(tables, comma);
            buf_puts(columns, comma);
            pg_add_element(tables, s->tables[i].name);
            pg_add_element(columns, s->tables[i].columns[k].name);
            comma = ",";
        }
    }
    buf_puts(tables, comma[0] == '{' ? "{}" : "}");
    buf_puts(columns, comma[0] == '{' ? "{}" : "}");
}

static enum rc check_gone(struct pg_run *r, struct err *err)
{
    struct buf tables, columns;
    PGresult *res = NULL;
    buf_init(&tables, 1 << 24);
    buf_init(&columns, 1 << 24);
    model_columns(r->schema, &tables, &columns);
    const char *params[] = {r->schema_name.text, buf_cstr(&tables), buf_cstr(&columns)};
    enum rc rc = pg_query(r->pg, sql_target_gone, params, 3, &res, err);
    if (!rc) {
        rc = refuse_listed(
            r, res,
            "these would be lost with columns that the model does not have, in tables of",
            "drop or change them first, or use --mode merge", err);
    }
    PQclear(res);
    buf_release(&tables);
    buf_release(&columns);
    return rc;
}

/* What keys and indexes are called, as an array. */
static void made_names(const struct schema *s, struct buf *b)
{
    const char *comma = "{";
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        for (uint32_t k = 0; k <= t->nreferences; k++) {
            bool none = k ? pg_ddl_index_served(t, k - 1) : t->nkey == 0;
            if (none)
                continue;
            struct pg_name name = k ? pg_ddl_index_name(s, i, k - 1) : pg_ddl_key_name(s, i);
            buf_puts(b, comma);
            pg_add_element(b, pg_name_view(&name));
            comma = ",";
        }
    }
    buf_puts(b, comma[0] == '{' ? "{}" : "}");
}

static enum rc check_taken(struct pg_run *r, const char *tables, struct err *err)
{
    struct buf names;
    PGresult *res = NULL;
    buf_init(&names, 1 << 24);
    made_names(r->schema, &names);
    const char *params[] = {r->schema_name.text, buf_cstr(&names), tables};
    enum rc rc = pg_query(r->pg, sql_target_taken, params, 3, &res, err);
    if (!rc) {
        rc = refuse_listed(r, res, "names that keys and indexes would have are taken in schema",
                           "rename what has them, or choose another schema with --schema", err);
    }
    PQclear(res);
    buf_release(&names);
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
    const char *type = column_type_name(c->type);
    const struct pg_around *from = &pg_types[c->type].from;
    buf_init(&sql, 4096);
    buf_puts(&sql, "ALTER TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->schema_name), t->name);
    buf_puts(&sql, " ALTER COLUMN ");
    pg_add_ident(&sql, c->name);
    buf_puts(&sql, " TYPE ");
    pg_ddl_type(&sql, c);
    buf_addf(&sql, " USING %s", from->before ? from->before : "");
    pg_add_ident(&sql, c->name);
    buf_addf(&sql, "%s%s;", from->before ? from->after : "::", from->before ? "" : type);
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
        const char *is = PQgetvalue(res, i, 1);
        if (c && !pg_ddl_type_is(c, is, false))
            rc = refuse_type(r, t, c, is, err);
    }
    PQclear(res);
    return rc;
}

static bool same_key(const struct table *t, const PGresult *res)
{
    bool same = PQntuples(res) == (int)t->nkey;
    for (uint32_t i = 0; same && i < t->nkey; i++) {
        bool found = false;
        struct pg_name name = pg_name_fit(t->columns[t->key[i]].name, NULL);
        for (int k = 0; k < PQntuples(res); k++)
            found = found || str_eq(pg_text(res, k, 0), pg_name_view(&name));
        same = found;
    }
    return same;
}

/* Rows are told apart by the key, which must be the same on both sides. */
static enum rc check_key(struct pg_run *r, const struct table *t, struct err *err)
{
    struct pg_name name = pg_name_fit(t->name, NULL);
    const char *params[] = {r->schema_name.text, name.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_key, params, 2, &res, err);
    if (!rc && t->nkey > 0 && !same_key(t, res)) {
        struct buf sql, columns;
        bool none = PQntuples(res) == 0;
        buf_init(&sql, 4096);
        buf_init(&columns, 4096);
        for (int i = 0; i < PQntuples(res); i++)
            buf_addf(&columns, "%s%s", i ? ", " : "", PQgetvalue(res, i, 0));
        pg_ddl_key(&sql, pg_name_view(&r->schema_name), r->schema,
                   (uint32_t)(t - r->schema->tables));
        rc = none ? err_set(err, RC_USAGE, "table \"%s\" has no primary key to tell rows by",
                            name.text)
                  : err_set(err, RC_USAGE,
                            "the primary key of table \"%s\" is (%.300s), the model has "
                            "another one",
                            name.text, buf_cstr(&columns));
        err_hint(err, "this would make it: %s", buf_cstr(&sql));
        buf_release(&sql);
        buf_release(&columns);
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
    bool upserts = r->opts.mode == PG_MERGE ||
                   (r->opts.duplicates != PG_DUP_FAIL && !r->opts.no_constraints);
    if (!rc && upserts && t->kind != TABLE_CONFLICT)
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
    /* nothing can depend on tables that do not exist yet */
    bool replaces = !rc && r->opts.mode == PG_REPLACE && PQntuples(res) > 0;
    if (replaces)
        rc = check_strangers(r, buf_cstr(&names), err);
    if (!rc && replaces)
        rc = check_gone(r, err);
    if (!rc && !r->opts.no_constraints)
        rc = check_taken(r, buf_cstr(&names), err);
    if (!rc)
        rc = check_rights(r, buf_cstr(&names), err);
    PQclear(res);
    buf_release(&names);
    return rc;
}
