/* SPDX-License-Identifier: MIT */
/*
 * A btree takes entries of up to 2,704 bytes, compressed where that helps. One look at the sizes
 * of the stored values, which reads no long value itself, finds rows that could be too long; an
 * index over those few says whether they are.
 */
#include <string.h>

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/ledger/make_run.h"

/* Without what an entry adds to its values: header, padding of up to 32 columns. */
enum { SUSPECT = 2400 };

/* Columns that are to be indexed together. */
struct indexed {
    const struct table *table;
    const uint32_t *columns;
    uint32_t n;
    bool key;
};

static bool has_text(const struct indexed *x)
{
    for (uint32_t i = 0; i < x->n; i++) {
        if (column_types[x->table->columns[x->columns[i]].type].bytes == 0)
            return true;
    }
    return false;
}

/* Number i of what is indexed; false behind the last. n == 0 where nothing can be too long. */
static bool indexed_get(const struct table *t, uint32_t i, struct indexed *x)
{
    if (i > t->nreferences)
        return false;
    *x = (struct indexed){t, t->key, t->nkey, true};
    if (i > 0) {
        const struct reference *ref = &t->references[i - 1];
        *x = (struct indexed){t, ref->columns, ref->n, false};
        x->n = pg_ddl_index_served(t, i - 1) ? 0 : x->n;
    }
    x->n = has_text(x) ? x->n : 0;
    return true;
}

bool pg_may_be_long(const struct table *t)
{
    struct indexed x;
    for (uint32_t i = 0; t->kind != TABLE_CONFLICT && indexed_get(t, i, &x); i++) {
        if (x.n > 0)
            return true;
    }
    return false;
}

static void add_size(struct buf *b, const struct indexed *x)
{
    buf_putc(b, '(');
    for (uint32_t i = 0; i < x->n; i++) {
        buf_puts(b, i ? " + coalesce(pg_column_size(t." : "coalesce(pg_column_size(t.");
        pg_add_ident(b, x->table->columns[x->columns[i]].name);
        buf_puts(b, "), 0)");
    }
    buf_putc(b, ')');
}

static void add_from(struct buf *b, const struct pg_run *r, const struct table *t)
{
    buf_puts(b, " FROM ");
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
    buf_puts(b, " AS t");
}

/* One pass for all: a row of booleans. */
static enum rc suspect(struct pg_run *r, const struct table *t, PGresult **out, struct err *err)
{
    struct indexed x;
    struct buf sql;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT ");
    for (uint32_t i = 0; indexed_get(t, i, &x); i++) {
        buf_puts(&sql, i ? ", " : "");
        if (x.n == 0) {
            buf_puts(&sql, "false");
            continue;
        }
        buf_puts(&sql, "coalesce(max");
        add_size(&sql, &x);
        buf_addf(&sql, ", 0) > %d", SUSPECT);
    }
    add_from(&sql, r, t);
    enum rc rc = buf_check(&sql, err);
    if (!rc)
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, out, err);
    buf_release(&sql);
    return rc;
}

static enum rc refuse(struct pg_run *r, const struct indexed *x, struct err *err)
{
    struct buf sql, names;
    buf_init(&sql, 1 << 20);
    buf_init(&names, 1 << 16);
    pg_ddl_columns(&names, x->table, x->columns, x->n, "");
    err_set(err, RC_FINISHED_BAD,
            "table \"%.*s\" has %s longer than an index takes (2,704 bytes): %.200s",
            STR_FMT(x->table->name), x->key ? "keys" : "references", buf_cstr(&names));
    buf_puts(&sql, "SELECT left(");
    pg_add_object(&sql, "t", x->table, x->columns, x->n);
    buf_puts(&sql, "::text, 80) || '...', coalesce(left(i.source_key, 120), '?')");
    add_from(&sql, r, x->table);
    buf_puts(&sql, " LEFT JOIN ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), PG_ITEMS);
    buf_puts(&sql, " AS i ON i.pos = t.");
    pg_add_ident(&sql, PG_POS);
    buf_puts(&sql, " WHERE ");
    add_size(&sql, x);
    buf_addf(&sql, " > %d ORDER BY ", SUSPECT);
    add_size(&sql, x);
    buf_addf(&sql, " DESC LIMIT %d", PG_EXAMPLES);
    enum rc rc = pg_add_examples(r, &sql, err);
    buf_release(&sql);
    buf_release(&names);
    if (rc)
        return rc;
    return err_hint(err,
                    "nothing was published; choose another %s, or load with "
                    "--no-constraints",
                    x->key ? "primary_key" : "reference");
}

/* The suspects in a table of their own, with the index in question. */
static enum rc try_index(struct pg_run *r, const struct indexed *x, bool *fits, struct err *err)
{
    struct buf sql;
    *fits = true;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SAVEPOINT tried; CREATE TABLE ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), STR("renorm:long"));
    buf_puts(&sql, " AS SELECT ");
    pg_ddl_columns(&sql, x->table, x->columns, x->n, "t.");
    add_from(&sql, r, x->table);
    buf_puts(&sql, " WHERE ");
    add_size(&sql, x);
    buf_addf(&sql, " > %d; CREATE INDEX ON ", SUSPECT);
    pg_add_qualified(&sql, pg_name_view(&r->staging), STR("renorm:long"));
    buf_puts(&sql, " (");
    pg_ddl_columns(&sql, x->table, x->columns, x->n, "");
    buf_puts(&sql, ")");
    enum rc rc = buf_check(&sql, err);
    PGresult *res = rc ? NULL : PQexec(r->pg, buf_cstr(&sql));
    buf_release(&sql);
    if (!rc && PQresultStatus(res) != PGRES_COMMAND_OK) {
        *fits = strcmp(pg_state(res), "54000") != 0;
        rc = *fits ? pg_fail(r->pg, res, err) : RC_OK;
    }
    PQclear(res);
    return rc ? rc : pg_exec(r->pg, "ROLLBACK TO SAVEPOINT tried", err);
}

enum rc pg_check_long(struct pg_run *r, uint32_t table, struct pg_outcome *out, struct err *err)
{
    const struct table *t = &r->schema->tables[table];
    struct indexed x;
    PGresult *res = NULL;
    enum rc rc = suspect(r, t, &res, err);
    for (uint32_t i = 0; !rc && indexed_get(t, i, &x); i++) {
        bool fits = true;
        if (str_is(pg_text(res, 0, (int)i), "t"))
            rc = try_index(r, &x, &fits, err);
        if (!rc && !fits) {
            out->refused = true;
            rc = refuse(r, &x, err);
        }
    }
    PQclear(res);
    return rc;
}
