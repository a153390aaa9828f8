/* SPDX-License-Identifier: MIT */
/*
 * Primary keys are the modeller's claim. Where they can be built they are true; else keys that
 * several rows have are found by GROUP BY and shown with the source keys of their items. Where
 * one copy is to win, the losers' child rows go with them: they share the item's position.
 */
#include <string.h>

#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/ledger/make_run.h"

void pg_add_match(struct buf *b, struct pg_side left, struct pg_side right, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        buf_addf(b, "%s%s.", i ? " AND " : "", left.alias);
        pg_add_ident(b, left.table->columns[left.columns[i]].name);
        buf_addf(b, " = %s.", right.alias);
        pg_add_ident(b, right.table->columns[right.columns[i]].name);
    }
}

void pg_add_key_match(struct buf *b, const struct table *t, const char *left, const char *right)
{
    pg_add_match(b, (struct pg_side){left, t, t->key}, (struct pg_side){right, t, t->key},
                 t->nkey);
}

void pg_add_object(struct buf *b, const char *a, const struct table *t, const uint32_t *columns,
                   uint32_t n)
{
    buf_puts(b, "jsonb_build_object(");
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(b, i ? ", " : "");
        pg_add_literal(b, t->columns[columns[i]].name);
        buf_addf(b, ", %s.", a);
        pg_add_ident(b, t->columns[columns[i]].name);
    }
    buf_putc(b, ')');
}

static void add_staged(struct buf *b, const struct pg_run *r, const struct table *t)
{
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
}

/* The keys several rows have, as a table d to join with. */
static void add_twice(struct buf *b, const struct pg_run *r, const struct table *t)
{
    buf_puts(b, "(SELECT ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ", count(*) AS \"renorm:n\" FROM ");
    add_staged(b, r, t);
    buf_puts(b, " GROUP BY ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, " HAVING count(*) > 1) AS d");
}

/* The staged rows, as t, whose key several have. */
static void add_rows_of_twice(struct buf *b, const struct pg_run *r, const struct table *t)
{
    add_staged(b, r, t);
    buf_puts(b, " AS t JOIN ");
    add_twice(b, r, t);
    buf_puts(b, " ON ");
    pg_add_key_match(b, t, "d", "t");
}

static enum rc count_twice(struct pg_run *r, const struct table *t, uint64_t *surplus,
                           struct err *err)
{
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT coalesce(sum(d.\"renorm:n\" - 1), 0)::bigint FROM ");
    add_twice(&sql, r, t);
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    *surplus = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

enum rc pg_add_examples(struct pg_run *r, struct buf *sql, struct err *err)
{
    PGresult *res = NULL;
    struct err failed;
    struct buf lines;
    enum rc rc = pg_query(r->pg, buf_cstr(sql), NULL, 0, &res, &failed);
    if (rc) {
        *err = failed;
        return rc;
    }
    buf_init(&lines, 1200);
    for (int i = 0; i < PQntuples(res) && !lines.rc; i++) {
        buf_addf(&lines, "\n  %.200s from %.300s", PQgetvalue(res, i, 0),
                 PQgetvalue(res, i, 1));
    }
    size_t n = strlen(err->msg);
    (void)snprintf(err->msg + n, sizeof err->msg - n, "%s", buf_cstr(&lines));
    buf_release(&lines);
    PQclear(res);
    return RC_OK;
}

static enum rc refuse_twice(struct pg_run *r, const struct table *t, struct pg_outcome *out,
                            struct err *err)
{
    struct buf sql;
    buf_init(&sql, 1 << 20);
    out->refused = true;
    err_set(err, RC_FINISHED_BAD, "table \"%.*s\": %llu rows have a key that another row has",
            STR_FMT(t->name), (unsigned long long)out->amount);
    buf_puts(&sql, "SELECT ");
    pg_add_object(&sql, "t", t, t->key, t->nkey);
    buf_puts(&sql,
             "::text, string_agg(coalesce(i.source_key, '?'), ' and ' ORDER BY i.pos) FROM ");
    add_rows_of_twice(&sql, r, t);
    buf_puts(&sql, " LEFT JOIN ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), PG_ITEMS);
    buf_puts(&sql, " AS i ON i.pos = t.");
    pg_add_ident(&sql, PG_POS);
    buf_addf(&sql, " GROUP BY 1 ORDER BY 1 LIMIT %d", PG_EXAMPLES);
    enum rc rc = pg_add_examples(r, &sql, err);
    buf_release(&sql);
    if (rc)
        return rc;
    return err_hint(err,
                    "nothing was published; mend the model's primary_key and --restart, or "
                    "run again with --duplicates first|last");
}

static bool descends(const struct schema *s, uint32_t table, uint32_t from)
{
    for (uint32_t t = table, steps = 0; steps <= s->ntables; steps++) {
        if (s->tables[t].kind != TABLE_CHILD || s->tables[t].parent == UINT32_MAX)
            return false;
        t = s->tables[t].parent;
        if (t == from)
            return true;
    }
    return false;
}

/* Children repeat their parent's key under the same names. */
static void delete_children(struct buf *b, const struct pg_run *r, const struct table *t,
                            const struct table *child)
{
    buf_puts(b, "DELETE FROM ");
    add_staged(b, r, child);
    buf_puts(b, " AS c USING \"renorm_losers\" AS l WHERE l.\"renorm:pos\" = c.");
    pg_add_ident(b, PG_POS);
    for (uint32_t i = 0; i < t->nkey; i++) {
        buf_puts(b, " AND l.");
        pg_add_ident(b, t->columns[t->key[i]].name);
        buf_puts(b, " = c.");
        pg_add_ident(b, t->columns[t->key[i]].name);
    }
    buf_puts(b, ";\n");
}

static enum rc keep_one(struct pg_run *r, uint32_t table, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    bool last = r->opts.duplicates == PG_DUP_LAST;
    struct buf sql;
    buf_init(&sql, 1 << 22);
    buf_puts(&sql, "CREATE TEMPORARY TABLE \"renorm_losers\" ON COMMIT DROP AS SELECT n.* FROM "
                   "(SELECT t.ctid AS \"renorm:id\", t.");
    pg_add_ident(&sql, PG_POS);
    buf_puts(&sql, ", ");
    pg_ddl_columns(&sql, t, t->key, t->nkey, "t.");
    buf_puts(&sql, ", row_number() OVER (PARTITION BY ");
    pg_ddl_columns(&sql, t, t->key, t->nkey, "t.");
    buf_puts(&sql, " ORDER BY t.");
    pg_add_ident(&sql, PG_POS);
    buf_puts(&sql, last ? " DESC NULLS LAST, t.ctid DESC" : " NULLS LAST, t.ctid");
    buf_puts(&sql, ") AS \"renorm:n\" FROM ");
    add_rows_of_twice(&sql, r, t);
    buf_puts(&sql, ") AS n WHERE n.\"renorm:n\" > 1;\nDELETE FROM ");
    add_staged(&sql, r, t);
    buf_puts(&sql, " AS t USING \"renorm_losers\" AS l WHERE t.ctid = l.\"renorm:id\";\n");
    for (uint32_t c = 0; c < r->schema->ntables; c++) {
        if (descends(r->schema, c, table))
            delete_children(&sql, r, t, &r->schema->tables[c]);
    }
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    buf_release(&sql);
    return rc;
}

/* `verify` does the same to the rows it makes. */
static enum rc note_decision(struct pg_run *r, struct err *err)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "UPDATE renorm.run SET duplicates = '%s' WHERE run = %lld",
                   r->opts.duplicates == PG_DUP_LAST ? "last" : "first", r->run);
    return pg_exec(r->pg, sql, err);
}

static enum rc has_key(struct pg_run *r, uint32_t table, bool *there, struct err *err)
{
    struct pg_name name = pg_ddl_key_name(r->schema, table);
    return pg_has_constraint(r, table, &name, there, err);
}

/* Values too long for an index are not told here either: that is the key's own step. */
enum rc pg_early_key(struct pg_run *r, uint32_t table, struct err *err)
{
    static const char *const states[] = {"23505", "54000", NULL};
    struct buf sql;
    bool there = false, built = false;
    enum rc rc = has_key(r, table, &there, err);
    if (rc || there)
        return rc;
    buf_init(&sql, 1 << 20);
    pg_ddl_key(&sql, pg_name_view(&r->staging), r->schema, table);
    rc = pg_try_first(r, &sql, states, &built, err);
    buf_release(&sql);
    return rc;
}

enum rc pg_duplicates(struct pg_run *r, uint32_t table, struct pg_outcome *out, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    bool stands = false;
    enum rc rc = has_key(r, table, &stands, err);
    if (!rc && !stands)
        rc = count_twice(r, t, &out->amount, err);
    if (rc || out->amount == 0)
        return rc;
    if (r->opts.duplicates == PG_DUP_FAIL)
        return refuse_twice(r, t, out, err);
    rc = keep_one(r, table, err);
    return rc ? rc : note_decision(r, err);
}

enum rc pg_build_key(struct pg_run *r, uint32_t table, struct pg_outcome *out, struct err *err)
{
    struct buf sql;
    bool there = false;
    enum rc rc = has_key(r, table, &there, err);
    if (rc || there)
        return rc;
    buf_init(&sql, 1 << 20);
    pg_ddl_key(&sql, pg_name_view(&r->staging), r->schema, table);
    rc = pg_try_index(r, &sql, table, out, err);
    buf_release(&sql);
    return rc;
}
