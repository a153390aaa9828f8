/* SPDX-License-Identifier: MIT */
/*
 * The reduction of extracts, in SQL. Copies of one attribute under one key are folded to their
 * distinct values; which of them wins depends on that set alone: first by the rule, then by the
 * smallest source key, then by the bytes of the value. The same order as reduce_compare, which is
 * what files use.
 */
#include "sinks/postgres/finish/finish.h"
#include "sinks/postgres/ledger/make_run.h"
#include "sinks/postgres/wire/type_table.h"

/* A cell as JSON, spelt as JSON lines spell it. */
static void add_json(struct buf *b, enum col_type type, const char *alias, struct str column)
{
    const struct pg_around *json = &pg_types[type].json;
    buf_puts(b, json->before ? json->before : "to_jsonb(");
    buf_puts(b, alias);
    pg_add_ident(b, column);
    buf_puts(b, json->before ? json->after : ")");
}

static bool is_key(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return true;
    }
    return false;
}

/* Is the column an attribute that any extract into this table carries? */
static bool carried(const struct schema *s, const struct extract *x, uint32_t column)
{
    const struct table *t = &s->tables[x->into];
    for (uint32_t e = 0; e < s->nextracts && !is_key(t, column); e++) {
        for (uint32_t i = 0; s->extracts[e].into == x->into && i < s->extracts[e].ncolumns;
             i++) {
            if (s->extracts[e].columns[i] == column)
                return true;
        }
    }
    return false;
}

static void add_rule(struct buf *b, enum extract_rule rule)
{
    switch (rule) {
    case EXTRACT_LAST:
        buf_puts(b, "max(\"renorm:source\") DESC, ");
        break;
    case EXTRACT_LATEST:
        buf_puts(b, "max(\"renorm:number\") DESC NULLS LAST, "
                    "CASE WHEN max(\"renorm:number\") IS NULL THEN max(\"renorm:text\") END "
                    "DESC NULLS LAST, "
                    "(array_agg(\"renorm:source\" ORDER BY \"renorm:number\" DESC NULLS LAST, "
                    "\"renorm:text\" DESC NULLS LAST, \"renorm:source\"))[1], ");
        break;
    case EXTRACT_MAJORITY:
        buf_puts(b, "count(*) DESC, ");
        break;
    case EXTRACT_MIRROR:
        buf_puts(b, "bool_or(coalesce(\"renorm:text\" <> '1', false)) DESC, ");
        break;
    case EXTRACT_OWNER:
    case EXTRACT_FIRST:
        break;
    }
}

/* The winning value of one attribute for each key. */
static void add_winner(struct buf *b, const struct extract *x, const struct table *t,
                       uint32_t column, struct str candidates)
{
    const struct column *c = &t->columns[column];
    buf_puts(b, "LEFT JOIN (SELECT DISTINCT ON (");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ") ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ", ");
    pg_add_ident(b, c->name);
    buf_puts(b, " FROM ");
    buf_add_str(b, candidates);
    buf_puts(b, " WHERE ");
    pg_add_ident(b, c->name);
    buf_puts(b, " IS NOT NULL GROUP BY ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ", ");
    pg_add_ident(b, c->name);
    buf_puts(b, " ORDER BY ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ", ");
    add_rule(b, x->rule);
    buf_puts(b, "min(\"renorm:source\"), ");
    add_json(b, c->type, "", c->name);
    buf_addf(b, "::text COLLATE \"C\") AS w%u USING (", column);
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ")\n");
}

static void add_insert(struct buf *b, struct pg_run *r, const struct extract *x,
                       struct str candidates)
{
    const struct table *t = &r->schema->tables[x->into];
    buf_puts(b, "INSERT INTO ");
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
    buf_puts(b, " (");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (carried(r->schema, x, i)) {
            buf_puts(b, ", ");
            pg_add_ident(b, t->columns[i].name);
        }
    }
    buf_puts(b, ")\nSELECT ");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (carried(r->schema, x, i)) {
            buf_addf(b, ", w%u.", i);
            pg_add_ident(b, t->columns[i].name);
        }
    }
    buf_puts(b, "\nFROM (SELECT DISTINCT ");
    pg_ddl_columns(b, t, t->key, t->nkey, "c.");
    buf_puts(b, " FROM ");
    buf_add_str(b, candidates);
    buf_puts(b, " AS c");
    if (x->rule == EXTRACT_OWNER) {
        buf_puts(b, " WHERE NOT EXISTS (SELECT FROM ");
        pg_add_qualified(b, pg_name_view(&r->staging), t->name);
        buf_puts(b, " AS o WHERE ");
        pg_add_key_match(b, t, "o", "c");
        buf_puts(b, ")");
    }
    buf_puts(b, ") AS k\n");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (carried(r->schema, x, i))
            add_winner(b, x, t, i, candidates);
    }
    buf_puts(b, ";\n");
}

/* The values that lost, attribute by attribute. */
static void add_losers(struct buf *b, struct pg_run *r, const struct extract *x,
                       uint32_t column, struct str candidates)
{
    const struct table *t = &r->schema->tables[x->into];
    const struct table *f = &r->schema->tables[x->conflict];
    struct str name = t->columns[column].name;
    buf_puts(b, "INSERT INTO ");
    pg_add_qualified(b, pg_name_view(&r->staging), f->name);
    buf_puts(b, " (");
    pg_ddl_columns(b, f, NULL, f->ncolumns, "");
    buf_puts(b, ")\nSELECT ");
    pg_ddl_columns(b, t, t->key, t->nkey, "c.");
    buf_puts(b, ", ");
    pg_add_literal(b, name);
    buf_puts(b, ", ");
    add_json(b, t->columns[column].type, "t.", name);
    buf_puts(b, ", ");
    add_json(b, t->columns[column].type, "c.", name);
    buf_puts(b, ", count(*), min(c.\"renorm:source\")\nFROM ");
    buf_add_str(b, candidates);
    buf_puts(b, " AS c JOIN ");
    pg_add_qualified(b, pg_name_view(&r->staging), t->name);
    buf_puts(b, " AS t ON ");
    pg_add_key_match(b, t, "t", "c");
    buf_puts(b, "\nWHERE c.");
    pg_add_ident(b, name);
    buf_puts(b, " IS NOT NULL AND c.");
    pg_add_ident(b, name);
    buf_puts(b, " IS DISTINCT FROM t.");
    pg_add_ident(b, name);
    buf_puts(b, "\nGROUP BY ");
    pg_ddl_columns(b, t, t->key, t->nkey, "c.");
    buf_puts(b, ", t.");
    pg_add_ident(b, name);
    buf_puts(b, ", c.");
    pg_add_ident(b, name);
}

enum rc pg_missing_mirrors(struct pg_run *r, uint32_t extract, struct pg_outcome *out,
                           struct err *err)
{
    const struct table *t = &r->schema->tables[r->schema->extracts[extract].into];
    struct pg_name name = pg_candidate_name(r->schema, extract);
    struct buf sql;
    PGresult *res = NULL;
    buf_init(&sql, 1 << 20);
    buf_puts(&sql, "SELECT count(*) FROM (SELECT FROM ");
    pg_add_qualified(&sql, pg_name_view(&r->staging), pg_name_view(&name));
    buf_puts(&sql, " GROUP BY ");
    pg_ddl_columns(&sql, t, t->key, t->nkey, "");
    buf_puts(&sql, " HAVING count(DISTINCT coalesce(\"renorm:text\" = '1', false)) < 2) AS m");
    enum rc rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
    out->amount = rc ? 0 : (uint64_t)pg_number(res, 0, 0);
    PQclear(res);
    buf_release(&sql);
    return rc;
}

static enum rc list_losers(struct pg_run *r, const struct extract *x, struct str candidates,
                           uint64_t *n, struct err *err)
{
    const struct table *t = &r->schema->tables[x->into];
    struct buf sql;
    enum rc rc = RC_OK;
    buf_init(&sql, 1 << 24);
    for (uint32_t i = 0; !rc && i < t->ncolumns; i++) {
        PGresult *res = NULL;
        if (!carried(r->schema, x, i))
            continue;
        buf_clear(&sql);
        add_losers(&sql, r, x, i, candidates);
        rc = pg_query(r->pg, buf_cstr(&sql), NULL, 0, &res, err);
        *n += rc ? 0 : (uint64_t)pg_touched(res);
        PQclear(res);
    }
    buf_release(&sql);
    return rc;
}

enum rc pg_reduce(struct pg_run *r, uint32_t extract, struct pg_outcome *out, struct err *err)
{
    const struct extract *x = &r->schema->extracts[extract];
    struct buf sql, candidates;
    struct pg_name name = pg_candidate_name(r->schema, extract);
    buf_init(&sql, 1 << 24);
    buf_init(&candidates, 4096);
    pg_add_qualified(&candidates, pg_name_view(&r->staging), pg_name_view(&name));
    buf_puts(&sql, "ANALYZE ");
    buf_add_str(&sql, buf_view(&candidates));
    buf_puts(&sql, ";\n");
    add_insert(&sql, r, x, buf_view(&candidates));
    enum rc rc = pg_exec_buf(r->pg, &sql, err);
    if (!rc)
        rc = list_losers(r, x, buf_view(&candidates), &out->amount, err);
    buf_release(&sql);
    buf_release(&candidates);
    return rc;
}
