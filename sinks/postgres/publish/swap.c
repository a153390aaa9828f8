/* SPDX-License-Identifier: MIT */
/*
 * Replacing tables in one transaction: the old ones are locked in the order of their names and
 * moved to a schema of their own, the new ones take their place, and what hung on the old ones
 * (grants, comments, publications, views) is made again. Whole schemas are not renamed: that would
 * take other people's tables along. The old tables are dropped without CASCADE, so that anything
 * not thought of stops the swap instead of vanishing.
 */
#include "sinks/postgres/ddl/grants.h"
#include "sinks/postgres/finish/steps.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

/* Those of the statements that come before the exchange, or those behind it. */
static enum rc run_statements(struct pg_run *r, const PGresult *res, bool before,
                              struct err *err)
{
    enum rc rc = RC_OK;
    for (int i = 0; !rc && i < PQntuples(res); i++) {
        struct str sql = pg_text(res, i, 0);
        if (str_is(pg_text(res, i, 1), "t") != before)
            continue;
        rc = pg_exec(r->pg, sql.p, err);
        if (rc)
            err_context(err, "%.200s", sql.p);
    }
    return rc;
}

/* Which tables of the model stand in the target now; in the order of their names. */
static enum rc old_tables(struct pg_run *r, const char *names, PGresult **out, struct err *err)
{
    const char *params[] = {r->schema_name.text, names};
    return pg_query(r->pg, sql_target_tables, params, 2, out, err);
}

static void add_list(struct buf *b, struct str schema, const PGresult *old)
{
    for (int i = 0; i < PQntuples(old); i++) {
        buf_puts(b, i ? ", " : " ");
        pg_add_qualified(b, schema, pg_text(old, i, 0));
    }
}

static enum rc lock_old(struct pg_run *r, const PGresult *old, struct err *err)
{
    struct buf sql;
    enum rc rc = RC_OK;
    buf_init(&sql, 1 << 22);
    if (PQntuples(old) > 0) {
        buf_puts(&sql, "LOCK TABLE");
        add_list(&sql, pg_name_view(&r->schema_name), old);
        buf_puts(&sql, " IN ACCESS EXCLUSIVE MODE");
        rc = pg_exec_buf(r->pg, &sql, err);
    }
    buf_release(&sql);
    return rc;
}

static void move(struct buf *b, struct str from, struct str name, struct str to)
{
    buf_puts(b, "ALTER TABLE ");
    pg_add_qualified(b, from, name);
    buf_puts(b, " SET SCHEMA ");
    pg_add_ident(b, to);
    buf_puts(b, ";\n");
}

static enum rc exchange(struct pg_run *r, const PGresult *old, struct str trash,
                        struct err *err)
{
    struct buf sql;
    struct str target = pg_name_view(&r->schema_name);
    buf_init(&sql, 1 << 24);
    buf_puts(&sql, "CREATE SCHEMA ");
    pg_add_ident(&sql, trash);
    buf_puts(&sql, ";\n");
    for (int i = 0; i < PQntuples(old); i++)
        move(&sql, target, pg_text(old, i, 0), trash);
    for (uint32_t i = 0; i < r->schema->ntables; i++)
        move(&sql, pg_name_view(&r->staging), r->schema->tables[i].name, target);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

static enum rc drop_old(struct pg_run *r, const PGresult *old, struct str trash,
                        struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 22);
    if (PQntuples(old) > 0 && !r->opts.keep_old) {
        buf_puts(&sql, "DROP TABLE");
        add_list(&sql, trash, old);
        buf_puts(&sql, ";");
    }
    if (PQntuples(old) == 0 || !r->opts.keep_old) {
        buf_puts(&sql, "DROP SCHEMA ");
        pg_add_ident(&sql, trash);
    }
    enum rc rc = sql.len ? pg_exec_buf(r->pg, &sql, err) : RC_OK;
    buf_release(&sql);
    return rc;
}

/* Tables that take an old one's place, with its rights and no others, and conflicts. */
static enum rc close_staged(struct pg_run *r, const PGresult *old, struct err *err)
{
    struct buf names;
    const char *comma = "{";
    buf_init(&names, 1 << 20);
    for (uint32_t i = 0; i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        struct pg_name name = pg_name_fit(t->name, NULL);
        bool close = t->kind == TABLE_CONFLICT;
        for (int k = 0; !close && k < PQntuples(old); k++)
            close = str_eq(pg_text(old, k, 0), pg_name_view(&name));
        if (!close)
            continue;
        buf_puts(&names, comma);
        pg_add_element(&names, t->name);
        comma = ",";
    }
    buf_puts(&names, comma[0] == '{' ? "{}" : "}");
    enum rc rc = buf_check(&names, err);
    if (!rc)
        rc = pg_grants_away(r->pg, r->staging.text, buf_cstr(&names), err);
    buf_release(&names);
    return rc;
}

static enum rc note_tables(struct pg_run *r, const char *names, struct err *err)
{
    char run[24];
    const char *params[] = {r->schema_name.text, names, run};
    (void)snprintf(run, sizeof run, "%lld", r->run);
    return pg_query(r->pg, sql_target_note, params, 3, NULL, err);
}

/* Those made since the step that carried the others. */
static enum rc carry_late(struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && !r->opts.no_constraints && i < r->schema->ntables; i++)
        rc = pg_carry_indexes(r, &r->schema->tables[i], err);
    return rc;
}

static enum rc swap_with(struct pg_run *r, const char *names, const PGresult *old,
                         struct err *err)
{
    PGresult *views = NULL, *tables = NULL;
    const char *params[] = {r->schema_name.text, names, r->staging.text};
    char text[40];
    (void)snprintf(text, sizeof text, "renorm_old_%lld", r->run);
    /* most indexes are made while readers go on, then the few that were added meanwhile */
    enum rc rc = carry_late(r, err);
    if (!rc)
        rc = lock_old(r, old, err);
    if (!rc)
        rc = pg_precheck(r, err);
    if (!rc)
        rc = carry_late(r, err);
    if (!rc)
        rc = pg_query(r->pg, sql_swap_views, params, 2, &views, err);
    if (!rc)
        rc = pg_query(r->pg, sql_swap_tables, params, 3, &tables, err);
    if (!rc)
        rc = close_staged(r, old, err);
    if (!rc)
        rc = run_statements(r, views, true, err);
    if (!rc)
        rc = run_statements(r, tables, true, err);
    if (!rc)
        rc = exchange(r, old, str_of(text), err);
    if (!rc)
        rc = note_tables(r, names, err);
    if (!rc)
        rc = run_statements(r, tables, false, err);
    if (!rc)
        rc = run_statements(r, views, false, err);
    if (!rc)
        rc = drop_old(r, old, str_of(text), err);
    PQclear(views);
    PQclear(tables);
    return rc;
}

enum rc pg_swap(struct pg_run *r, struct err *err)
{
    struct buf names;
    PGresult *old = NULL;
    buf_init(&names, 1 << 20);
    pg_table_names(&names, r->schema);
    /* only tables can be locked; whatever was made since is seen under those locks */
    enum rc rc = pg_precheck(r, err);
    if (!rc)
        rc = old_tables(r, buf_cstr(&names), &old, err);
    if (!rc)
        rc = swap_with(r, buf_cstr(&names), old, err);
    PQclear(old);
    buf_release(&names);
    return rc;
}
