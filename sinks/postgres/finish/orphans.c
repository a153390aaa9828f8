/* SPDX-License-Identifier: MIT */
/*
 * Rows without a parent. DynamoDB has no referential integrity, so they are counted and listed,
 * and the constraint stays NOT VALID. A row with a NULL in the reference is none (MATCH SIMPLE,
 * as the server sees it).
 */
#include <string.h>

#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/ledger/make_run.h"

/* "FROM child c WHERE <no parent>", rows of `schema`. */
static void add_orphans(struct buf *b, const struct pg_run *r, struct str schema,
                        uint32_t table, uint32_t ref)
{
    const struct table *t = &r->schema->tables[table];
    const struct reference *f = &t->references[ref];
    const struct table *to = &r->schema->tables[f->to];
    buf_puts(b, " WHERE ");
    for (uint32_t i = 0; i < f->n; i++) {
        buf_puts(b, i ? " AND c." : "c.");
        pg_add_ident(b, t->columns[f->columns[i]].name);
        buf_puts(b, " IS NOT NULL");
    }
    buf_puts(b, " AND NOT EXISTS (SELECT FROM ");
    pg_add_qualified(b, schema, to->name);
    buf_puts(b, " AS p WHERE ");
    pg_add_match(b, (struct pg_side){"p", to, f->to_columns},
                 (struct pg_side){"c", t, f->columns}, f->n);
    buf_puts(b, ")");
}

static enum rc list_orphans(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                            struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    const struct reference *f = &t->references[ref];
    struct pg_name name = pg_ddl_foreign_name(t, ref);
    bool staged = r->with_pos && str_eq(schema, pg_name_view(&r->staging));
    struct buf sql;
    buf_init(&sql, 1 << 22);
    buf_puts(&sql,
             "INSERT INTO renorm.orphan (run, table_name, constraint_name, key, source_key) "
             "SELECT ");
    buf_addf(&sql, "%lld, ", r->run);
    pg_add_literal(&sql, t->name);
    buf_puts(&sql, ", ");
    pg_add_literal(&sql, pg_name_view(&name));
    buf_puts(&sql, ", ");
    pg_add_object(&sql, "c", t, t->nkey ? t->key : f->columns, t->nkey ? t->nkey : f->n);
    if (t->nkey) {
        buf_puts(&sql, " || ");
        pg_add_object(&sql, "c", t, f->columns, f->n);
    }
    buf_puts(&sql, staged ? ", i.source_key FROM " : ", NULL FROM ");
    pg_add_qualified(&sql, schema, t->name);
    buf_puts(&sql, " AS c");
    if (staged) {
        buf_puts(&sql, " LEFT JOIN ");
        pg_add_qualified(&sql, schema, PG_ITEMS);
        buf_puts(&sql, " AS i ON i.pos = c.");
        pg_add_ident(&sql, PG_POS);
    }
    add_orphans(&sql, r, schema, table, ref);
    buf_addf(&sql, " LIMIT %d", PG_ORPHAN_EXAMPLES);
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

static enum rc forget_orphans(struct pg_run *r, const struct table *t, uint32_t ref,
                              struct err *err)
{
    struct pg_name name = pg_ddl_foreign_name(t, ref);
    char run[24];
    struct arena a;
    arena_init(&a, 256);
    (void)snprintf(run, sizeof run, "%lld", r->run);
    const char *params[] = {run, arena_cstr(&a, t->name), name.text};
    enum rc rc = pg_query(r->pg,
                          "DELETE FROM renorm.orphan "
                          "WHERE run = $1 AND table_name = $2 AND constraint_name = $3",
                          params, 3, NULL, err);
    arena_release(&a);
    return rc;
}

static enum rc pg_orphan_check(struct pg_run *r, struct str schema, uint32_t table,
                               uint32_t ref, struct pg_outcome *out, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT count(*) FROM ");
    pg_add_qualified(&sql, schema, t->name);
    buf_puts(&sql, " AS c");
    add_orphans(&sql, r, schema, table, ref);
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    out->amount = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    if (!rc)
        rc = forget_orphans(r, t, ref, err);
    if (!rc && out->amount > 0)
        rc = list_orphans(r, schema, table, ref, err);
    if (rc || out->amount == 0 || r->opts.orphans == PG_ORPHANS_KEEP)
        return rc;
    out->refused = true;
    struct pg_name name = pg_ddl_foreign_name(t, ref);
    err_set(err, RC_FINISHED_BAD, "%llu rows of table \"%.*s\" have no parent (\"%s\")",
            (unsigned long long)out->amount, STR_FMT(t->name), name.text);
    return err_hint(err, "nothing was published; see renorm.orphan, or run again with "
                         "--orphans keep");
}

/* With all rows checked by the server. */
static enum rc try_foreign(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                           bool *stands, struct err *err)
{
    static const char *const states[] = {"23503", NULL};
    struct buf sql;
    buf_init(&sql, 1 << 20);
    pg_ddl_foreign(&sql, schema, r->schema, table, ref);
    pg_ddl_validate(&sql, schema, &r->schema->tables[table], ref);
    enum rc rc = pg_try_first(r, &sql, states, stands, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_foreign_key(struct pg_run *r, struct str schema, uint32_t table, uint32_t ref,
                       struct pg_outcome *out, struct err *err)
{
    struct buf sql;
    bool stands = false;
    enum rc rc = try_foreign(r, schema, table, ref, &stands, err);
    if (!rc && stands)
        return forget_orphans(r, &r->schema->tables[table], ref, err);
    if (!rc)
        rc = pg_orphan_check(r, schema, table, ref, out, err);
    if (rc || out->refused)
        return rc;
    buf_init(&sql, 1 << 20);
    pg_ddl_foreign(&sql, schema, r->schema, table, ref);
    if (out->amount == 0)
        pg_ddl_validate(&sql, schema, &r->schema->tables[table], ref);
    rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_refer(struct pg_run *r, uint32_t table, uint32_t ref, struct err *err)
{
    struct pg_name name = pg_ddl_foreign_name(&r->schema->tables[table], ref);
    struct buf sql;
    bool there = false;
    enum rc rc = pg_has_constraint(r, table, &name, &there, err);
    if (rc || there)
        return rc;
    buf_init(&sql, 1 << 20);
    pg_ddl_foreign(&sql, pg_name_view(&r->staging), r->schema, table, ref);
    rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_check_foreign(struct pg_run *r, uint32_t table, uint32_t ref, struct pg_outcome *out,
                         struct err *err)
{
    static const char *const states[] = {"23503", NULL};
    const struct table *t = &r->schema->tables[table];
    struct buf sql;
    bool valid = false;
    buf_init(&sql, 1 << 20);
    pg_ddl_validate(&sql, pg_name_view(&r->staging), t, ref);
    enum rc rc = pg_try_first(r, &sql, states, &valid, err);
    buf_release(&sql);
    if (rc)
        return rc;
    return valid ? forget_orphans(r, t, ref, err)
                 : pg_orphan_check(r, pg_name_view(&r->staging), table, ref, out, err);
}
