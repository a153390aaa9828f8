/* SPDX-License-Identifier: MIT */
/*
 * Foreign keys of tables that rows are moved into. One that is valid, and whose parents are there
 * or come first, stays in force and nobody is locked out. One that is not valid (it would still
 * refuse new orphans), or that rows without a parent are about to meet, is dropped for the
 * transaction and made again behind the rows.
 */
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/publish/target.h"
#include "sql.inc"

enum foreign_state { FOREIGN_NONE, FOREIGN_NOT_VALID, FOREIGN_VALID };

static enum rc look(struct pg_run *r, uint32_t table, uint32_t ref, enum foreign_state *state,
                    struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct pg_name name = pg_name_fit(t->name, NULL), key = pg_ddl_foreign_name(t, ref);
    const char *params[] = {r->schema_name.text, name.text, key.text};
    PGresult *res = NULL;
    enum rc rc = pg_query(r->pg, sql_target_foreign, params, 3, &res, err);
    if (!rc && PQntuples(res) == 0) {
        *state = FOREIGN_NONE;
    } else if (!rc) {
        *state = str_is(pg_text(res, 0, 0), "t") ? FOREIGN_VALID : FOREIGN_NOT_VALID;
    }
    PQclear(res);
    return rc;
}

/* A staged row whose parent is neither staged nor there. */
static enum rc any_orphan(struct pg_run *r, uint32_t table, uint32_t ref, bool *yes,
                          struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    const struct reference *f = &t->references[ref];
    const struct table *to = &r->schema->tables[f->to];
    struct str schemas[] = {pg_name_view(&r->staging), pg_name_view(&r->schema_name)};
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT EXISTS (SELECT FROM ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), t->name);
    buf_puts(&sql, " AS c WHERE ");
    for (uint32_t i = 0; i < f->n; i++) {
        buf_puts(&sql, "c.");
        pg_add_ident(&sql, t->columns[f->columns[i]].name);
        buf_puts(&sql, " IS NOT NULL AND ");
    }
    for (size_t i = 0; i < 2; i++) {
        buf_puts(&sql, i ? " AND NOT EXISTS (SELECT FROM " : "NOT EXISTS (SELECT FROM ");
        pg_add_qualified(&sql, schemas[i], to->name);
        buf_puts(&sql, " AS p WHERE ");
        pg_add_match(&sql, (struct pg_side){"p", to, f->to_columns},
                     (struct pg_side){"c", t, f->columns}, f->n);
        buf_putc(&sql, ')');
    }
    buf_putc(&sql, ')');
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *yes = !rc && str_is(pg_text(res, 0, 0), "t");
    PQclear(res);
    buf_release(&sql);
    return rc;
}

/* Rows come table by table; what replaces others also deletes children, the last ones first. */
static bool in_order(const struct pg_run *r, uint32_t table, uint32_t ref)
{
    const struct schema *s = r->schema;
    uint32_t to = s->tables[table].references[ref].to;
    if (to > table || r->opts.delete_missing)
        return false;
    return !pg_replaces(r) || s->tables[to].kind != TABLE_CHILD ||
           s->tables[table].kind == TABLE_CHILD;
}

static enum rc may_stay(struct pg_run *r, uint32_t table, uint32_t ref, bool *yes,
                        struct err *err)
{
    enum foreign_state state = FOREIGN_NONE;
    bool orphan = true;
    enum rc rc = look(r, table, ref, &state, err);
    if (!rc && state == FOREIGN_VALID && in_order(r, table, ref))
        rc = any_orphan(r, table, ref, &orphan, err);
    *yes = !rc && !orphan;
    return rc;
}

static enum rc drop(struct pg_run *r, const struct table *t, uint32_t ref, struct err *err)
{
    struct buf sql;
    struct pg_name name = pg_ddl_foreign_name(t, ref);
    buf_init(&sql, 4096);
    buf_puts(&sql, "ALTER TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->schema_name), t->name);
    buf_puts(&sql, " DROP CONSTRAINT IF EXISTS ");
    pg_add_ident(&sql, pg_name_view(&name));
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_references_away(struct pg_run *r, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        const struct table *t = &r->schema->tables[i];
        for (uint32_t k = 0; !rc && k < t->nreferences; k++) {
            bool stays = false;
            rc = may_stay(r, i, k, &stays, err);
            if (!rc && !stays)
                rc = drop(r, t, k, err);
        }
    }
    return rc;
}

enum rc pg_references_back(struct pg_run *r, struct sink_report *report, struct err *err)
{
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < r->schema->ntables; i++) {
        for (uint32_t k = 0; !rc && k < r->schema->tables[i].nreferences; k++) {
            struct pg_outcome out = {0};
            enum foreign_state state = FOREIGN_NONE;
            if (!pg_ddl_can_refer(r->schema, i, k))
                continue;
            rc = look(r, i, k, &state, err);
            if (!rc && state == FOREIGN_NONE)
                rc = pg_foreign_key(r, pg_name_view(&r->schema_name), i, k, &out, err);
            report->orphans += out.amount;
            pg_reasons_orphans(r, i, k, out.amount);
        }
    }
    return rc;
}
