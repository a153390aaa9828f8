/* SPDX-License-Identifier: MIT */
/*
 * DDL text from a compiled model. Constraints and indexes carry names made of table and columns,
 * so that the same model gives the same names in every run and database.
 */
#include "sinks/postgres/ddl/ddl.h"

#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/type_table.h"

#include <string.h>

/* of 1,600, one of which a table has while it is loaded: the position */
enum { MAX_COLUMNS = 1599, MAX_KEY_COLUMNS = 32 };

/* Columns that the server has in every table, and what this program makes while it loads. */
bool pg_ddl_reserved(struct str name, bool table)
{
    static const char *const NAMES[] = {"tableoid", "cmax", "xmax", "cmin", "xmin", "ctid"};
    bool reserved = str_starts(name, STR("renorm:"));
    for (size_t i = 0; !table && !reserved && i < sizeof NAMES / sizeof *NAMES; i++)
        reserved = str_is(name, NAMES[i]);
    return reserved;
}

static enum rc check_names(const struct table *t, struct err *err)
{
    if (pg_ddl_reserved(t->name, true)) {
        return err_set(err, RC_USAGE, "no table can be called \"%.*s\" in PostgreSQL",
                       STR_FMT(t->name));
    }
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        struct str name = t->columns[i].name;
        if (!pg_ddl_reserved(name, false))
            continue;
        err_set(err, RC_USAGE,
                "no column can be called \"%.*s\" in PostgreSQL (table \"%.*s\")",
                STR_FMT(name), STR_FMT(t->name));
        return err_hint(err, "give it another name in the model, with \"from\": \"%.*s\"",
                        STR_FMT(name));
    }
    return RC_OK;
}

enum rc pg_ddl_check(const struct schema *s, struct err *err)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        enum rc rc = check_names(t, err);
        if (rc)
            return rc;
        if (t->ncolumns > MAX_COLUMNS) {
            err_set(err, RC_USAGE, "table \"%.*s\" has %u columns, PostgreSQL takes %d",
                    STR_FMT(t->name), t->ncolumns, MAX_COLUMNS);
            return err_hint(err,
                            "keep a part of them as one jsonb column (stage \"document\")");
        }
        if (t->nkey > MAX_KEY_COLUMNS) {
            return err_set(err, RC_USAGE,
                           "the key of table \"%.*s\" has %u columns, PostgreSQL takes %d",
                           STR_FMT(t->name), t->nkey, MAX_KEY_COLUMNS);
        }
    }
    return RC_OK;
}

void pg_ddl_type(struct buf *b, const struct column *c)
{
    buf_puts(b, column_type_name(c->type));
    if (c->key && pg_types[c->type].key_suffix)
        buf_puts(b, pg_types[c->type].key_suffix);
}

bool pg_ddl_type_is(const struct column *c, const char *is, bool any_modifier)
{
    const char *shown = pg_types[c->type].shown;
    const char *type = shown ? shown : column_type_name(c->type);
    for (; any_modifier && *is && *is == *type; is++)
        type++;
    if (any_modifier && *is == '(' && strchr(is, ')'))
        is = strchr(is, ')') + 1;
    return strcmp(is, type) == 0;
}

void pg_ddl_columns(struct buf *b, const struct table *t, const uint32_t *list, uint32_t n,
                    const char *prefix)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            buf_puts(b, ", ");
        buf_puts(b, prefix);
        pg_add_ident(b, t->columns[list ? list[i] : i].name);
    }
}

void pg_ddl_table(struct buf *b, struct str schema, const struct table *t,
                  enum pg_ddl_kind kind, bool pos)
{
    buf_puts(b, kind == PG_DDL_UNLOGGED ? "CREATE UNLOGGED TABLE " : "CREATE TABLE ");
    pg_add_qualified(b, schema, t->name);
    buf_puts(b, " (");
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        buf_puts(b, i ? ",\n    " : "\n    ");
        pg_add_ident(b, c->name);
        buf_putc(b, ' ');
        pg_ddl_type(b, c);
        if (c->not_null)
            buf_puts(b, " NOT NULL");
    }
    if (pos) {
        buf_puts(b, t->ncolumns ? ",\n    " : "\n    ");
        pg_add_ident(b, PG_POS);
        buf_puts(b, " bigint");
    }
    buf_puts(b, "\n);\n");
}

/* The columns of a conflict table beside the key: see struct extract. */
static const char *conflict_comment(struct str name)
{
    static const char *const TEXTS[][2] = {
        {"attribute", "the column whose copies disagreed"},
        {"kept", "the value that stands"},
        {"lost", "a value that gave way"},
        {"count", "how many copies had it"},
        {"source_key", "key of one item that had it, as DynamoDB JSON"}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        if (str_is(name, TEXTS[i][0]))
            return TEXTS[i][1];
    }
    return NULL;
}

void pg_ddl_column_comment(struct buf *b, struct str schema, const struct table *t,
                           uint32_t column)
{
    const struct column *c = &t->columns[column];
    const char *fixed =
        c->extra ? "attributes the model does not name, as DynamoDB JSON" : NULL;
    if (!fixed && c->from.n == 0 && t->kind == TABLE_CONFLICT)
        fixed = conflict_comment(c->name);
    if (!fixed && c->from.n == 0)
        return;
    struct buf text;
    buf_init(&text, 1 << 20);
    if (fixed) {
        buf_puts(&text, fixed);
    } else {
        buf_addf(&text, "from %.*s", STR_FMT(c->from));
    }
    buf_puts(b, "COMMENT ON COLUMN ");
    pg_add_qualified(b, schema, t->name);
    buf_putc(b, '.');
    pg_add_ident(b, c->name);
    buf_puts(b, " IS ");
    pg_add_literal(b, buf_view(&text));
    buf_puts(b, ";\n");
    buf_release(&text);
}

void pg_ddl_comments(struct buf *b, struct str schema, const struct table *t)
{
    if (t->comment.n > 0) {
        buf_puts(b, "COMMENT ON TABLE ");
        pg_add_qualified(b, schema, t->name);
        buf_puts(b, " IS ");
        pg_add_literal(b, t->comment);
        buf_puts(b, ";\n");
    }
    for (uint32_t i = 0; i < t->ncolumns; i++)
        pg_ddl_column_comment(b, schema, t, i);
}

static void alter(struct buf *b, struct str schema, const struct table *t)
{
    buf_puts(b, "ALTER TABLE ");
    pg_add_qualified(b, schema, t->name);
}

static void add_constraint(struct buf *b, struct str schema, const struct table *t,
                           const struct pg_name *name)
{
    alter(b, schema, t);
    buf_puts(b, " ADD CONSTRAINT ");
    pg_add_ident(b, str_make(name->text, name->n));
}

void pg_ddl_key(struct buf *b, struct str schema, const struct schema *s, uint32_t table)
{
    const struct table *t = &s->tables[table];
    if (t->nkey == 0)
        return;
    struct pg_name name = pg_ddl_key_name(s, table);
    add_constraint(b, schema, t, &name);
    buf_puts(b, " PRIMARY KEY (");
    pg_ddl_columns(b, t, t->key, t->nkey, "");
    buf_puts(b, ");\n");
}

static bool key_serves(const struct table *t, const struct reference *ref)
{
    if (ref->n > t->nkey)
        return false;
    for (uint32_t i = 0; i < ref->n; i++) {
        if (ref->columns[i] != t->key[i])
            return false;
    }
    return true;
}

bool pg_ddl_index_served(const struct table *t, uint32_t r)
{
    const struct reference *ref = &t->references[r];
    for (uint32_t i = 0; i < r; i++) {
        const struct reference *other = &t->references[i];
        if (other->n == ref->n &&
            memcmp(other->columns, ref->columns, ref->n * sizeof *ref->columns) == 0)
            return true;
    }
    return key_serves(t, ref);
}

bool pg_ddl_index(struct buf *b, struct str schema, const struct schema *s, uint32_t table,
                  uint32_t r)
{
    const struct table *t = &s->tables[table];
    const struct reference *ref = &t->references[r];
    if (pg_ddl_index_served(t, r))
        return false;
    struct pg_name name = pg_ddl_index_name(s, table, r);
    buf_puts(b, "CREATE INDEX ");
    pg_add_ident(b, str_make(name.text, name.n));
    buf_puts(b, " ON ");
    pg_add_qualified(b, schema, t->name);
    buf_puts(b, " (");
    pg_ddl_columns(b, t, ref->columns, ref->n, "");
    buf_puts(b, ");\n");
    return true;
}

bool pg_ddl_can_refer(const struct schema *s, uint32_t table, uint32_t r)
{
    const struct reference *ref = &s->tables[table].references[r];
    const struct table *to = &s->tables[ref->to];
    if (to->nkey == 0 || to->nkey != ref->n)
        return false;
    for (uint32_t i = 0; i < ref->n; i++) {
        bool found = false;
        for (uint32_t k = 0; k < to->nkey; k++)
            found = found || to->key[k] == ref->to_columns[i];
        if (!found)
            return false;
    }
    return true;
}

void pg_ddl_foreign(struct buf *b, struct str schema, const struct schema *s, uint32_t table,
                    uint32_t r)
{
    const struct table *t = &s->tables[table];
    const struct reference *ref = &t->references[r];
    struct pg_name name = pg_ddl_foreign_name(t, r);
    add_constraint(b, schema, t, &name);
    buf_puts(b, " FOREIGN KEY (");
    pg_ddl_columns(b, t, ref->columns, ref->n, "");
    buf_puts(b, ") REFERENCES ");
    pg_add_qualified(b, schema, s->tables[ref->to].name);
    buf_puts(b, " (");
    pg_ddl_columns(b, &s->tables[ref->to], ref->to_columns, ref->n, "");
    buf_puts(b, ") NOT VALID;\n");
}

void pg_ddl_validate(struct buf *b, struct str schema, const struct table *t, uint32_t r)
{
    struct pg_name name = pg_ddl_foreign_name(t, r);
    alter(b, schema, t);
    buf_puts(b, " VALIDATE CONSTRAINT ");
    pg_add_ident(b, str_make(name.text, name.n));
    buf_puts(b, ";\n");
}

static void print_constraints(struct buf *b, const struct schema *s, struct str target)
{
    for (uint32_t i = 0; i < s->ntables; i++)
        pg_ddl_key(b, target, s, i);
    for (uint32_t i = 0; i < s->ntables; i++) {
        for (uint32_t r = 0; r < s->tables[i].nreferences; r++)
            (void)pg_ddl_index(b, target, s, i, r);
    }
    for (uint32_t i = 0; i < s->ntables; i++) {
        for (uint32_t r = 0; r < s->tables[i].nreferences; r++) {
            if (!pg_ddl_can_refer(s, i, r))
                continue;
            pg_ddl_foreign(b, target, s, i, r);
            pg_ddl_validate(b, target, &s->tables[i], r);
        }
    }
    for (uint32_t i = 0; i < s->ntables; i++) {
        buf_puts(b, "ANALYZE ");
        pg_add_qualified(b, target, s->tables[i].name);
        buf_puts(b, ";\n");
    }
}

enum rc pg_ddl_print(struct buf *b, const struct schema *s, struct str target,
                     bool no_constraints, struct err *err)
{
    enum rc rc = pg_ddl_check(s, err);
    if (rc)
        return rc;
    buf_puts(b, "CREATE SCHEMA IF NOT EXISTS ");
    pg_add_ident(b, target);
    buf_puts(b, ";\n\n");
    pg_ddl_tell_cut(b, "-- ", s, !no_constraints);
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        pg_ddl_table(b, target, t, PG_DDL_LOGGED, false);
        pg_ddl_comments(b, target, t);
        buf_putc(b, '\n');
    }
    if (!no_constraints) {
        buf_puts(b, "-- after the load\n");
        print_constraints(b, s, target);
    }
    return buf_check(b, err);
}
