/* SPDX-License-Identifier: MIT */
/*
 * A sources.yml of dbt for the tables in PostgreSQL, https://docs.getdbt.com/reference/source-properties
 * with the tests that the model promises: not_null, unique, relationships. dbt puts the names of
 * sources and tables between the quotes of an expression as they are: those that are no words get
 * one, beside their true name. It puts the name of a column between double quotes and doubles
 * none: a column with such a mark has its tests at the table, quoted here, as have keys and
 * references of several columns, which are rows to compare. What looks like Jinja in a name is
 * printed by Jinja.
 */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/ddl/quote.h"

/* A scalar that dbt renders: the opening marks of Jinja become expressions that print them. */
static void scalar(struct buf *out, struct str s)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    for (size_t i = 0; i < s.n; i++) {
        bool opens = s.p[i] == '{' && i + 1 < s.n && strchr("{%#", s.p[i + 1]);
        if (opens) {
            buf_addf(&text, "{{ '{%c' }}", s.p[i + 1]);
            i++;
        } else {
            buf_putc(&text, s.p[i]);
        }
    }
    diagram_text_yaml(out, buf_view(&text));
    buf_release(&text);
}

/* The name as the server knows it: long ones are cut. */
static void server_name(struct buf *out, struct str name)
{
    struct pg_name fit = pg_name_fit(name, NULL);
    scalar(out, str_make(fit.text, fit.n));
}

static bool has_quote(struct str name)
{
    return memchr(name.p, '"', name.n) != NULL;
}

/* One column as SQL, several as a row. */
static void sql_columns(struct buf *out, const struct table *t, const uint32_t *list,
                        uint32_t n, void (*add)(struct buf *out, struct str s))
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_puts(&text, n > 1 ? "(" : "");
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(&text, i ? ", " : "");
        pg_add_ident(&text, t->columns[list[i]].name);
    }
    buf_puts(&text, n > 1 ? ")" : "");
    add(out, buf_view(&text));
    buf_release(&text);
}

/* A name between the double quotes that dbt puts around it. */
static void inside_quotes(struct buf *out, struct str name)
{
    struct pg_name fit = pg_name_fit(name, NULL);
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    for (size_t i = 0; i < fit.n; i++) {
        buf_puts(&text, fit.text[i] == '"' ? "\"" : "");
        buf_putc(&text, fit.text[i]);
    }
    scalar(out, buf_view(&text));
    buf_release(&text);
}

static void word(struct buf *out, struct str name)
{
    enum { LONGEST = 40 };
    for (size_t i = 0; i < name.n && i < LONGEST; i++) {
        struct str one = str_make(name.p + i, 1);
        bool fits = diagram_text_is_word(one) || (name.p[i] >= '0' && name.p[i] <= '9' && i);
        if (fits || out->len == 0 || out->p[out->len - 1] != '_')
            buf_add_str(out, fits ? one : STR("_"));
    }
}

static bool is_short_word(struct str name)
{
    return diagram_text_is_word(name) && name.n <= PG_NAME_MAX;
}

static bool is_table(const struct schema *s, struct str name)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        if (str_eq(s->tables[i].name, name))
            return true;
    }
    return false;
}

/* What dbt calls the table: no other is called so. */
static void table_word(const struct diagram *d, const struct table *t, struct buf *out)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    if (is_short_word(t->name)) {
        buf_add_str(&text, t->name);
    } else {
        word(&text, t->name);
        buf_addf(&text, "_t%u", (unsigned)(t - d->schema->tables));
        while (!text.rc && is_table(d->schema, buf_view(&text)))
            buf_putc(&text, '_');
    }
    buf_add_str(out, buf_view(&text));
    out->rc = out->rc ? out->rc : text.rc;
    buf_release(&text);
}

static void source_word(const struct diagram *d, struct buf *out)
{
    if (is_short_word(d->database)) {
        buf_add_str(out, d->database);
    } else {
        word(out, d->database);
    }
}

/* The word of a table, or of the source, as YAML. */
static void yaml_word(struct buf *out, const struct diagram *d, const struct table *t)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    if (t) {
        table_word(d, t, &text);
    } else {
        source_word(d, &text);
    }
    diagram_text_yaml(out, buf_view(&text));
    buf_release(&text);
}

static void dbt_begin(const struct diagram *d)
{
    buf_puts(d->out, "version: 2\n\nsources:\n  - name: ");
    yaml_word(d->out, d, NULL);
    buf_puts(d->out, "\n    schema: ");
    inside_quotes(d->out, d->database);
    buf_puts(d->out, "\n    quoting: {schema: true, identifier: true}\n    tables:\n");
}

static void dbt_table(const struct diagram *d, const struct table *t)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_puts(d->out, "      - name: ");
    yaml_word(d->out, d, t);
    if (!is_short_word(t->name)) {
        buf_puts(d->out, "\n        identifier: ");
        inside_quotes(d->out, t->name);
    }
    buf_addf(&text, "%s %.*s", diagram_kind(t), STR_FMT(t->comment));
    buf_puts(d->out, "\n        description: ");
    scalar(d->out, buf_view(&text));
    buf_puts(d->out, "\n        columns:\n");
    buf_release(&text);
}

/* `to` and `field`: what a reference refers to. */
static void refers_to(const struct diagram *d, const struct diagram_reference *r,
                      const char *indent)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    buf_puts(&text, "source('");
    source_word(d, &text);
    buf_puts(&text, "', '");
    table_word(d, r->to, &text);
    buf_puts(&text, "')");
    buf_addf(d->out, "%sto: ", indent);
    diagram_text_yaml(d->out, buf_view(&text));
    buf_addf(d->out, "\n%sfield: ", indent);
    sql_columns(d->out, r->to, r->columns->to_columns, r->columns->n, scalar);
    buf_putc(d->out, '\n');
    buf_release(&text);
}

/* Appends the tests, if there are any, and releases them. */
static void add_tests(struct buf *out, const char *head, struct buf *tests)
{
    if (tests->len)
        buf_puts(out, head);
    buf_add_str(out, buf_view(tests));
    out->rc = out->rc ? out->rc : tests->rc;
    buf_release(tests);
}

/* A reference that is told beside its only column. */
static bool beside_column(const struct diagram_reference *r)
{
    return r->columns->n == 1 && !has_quote(r->from->columns[r->columns->columns[0]].name);
}

/* Appends the references that are told beside this column. */
static void column_references(const struct diagram *d, const struct diagram_column *c)
{
    struct diagram_reference r;
    for (uint32_t i = 0; i < c->table->nreferences; i++) {
        if (!diagram_refer(d, c->table, i, &r) || !beside_column(&r) ||
            r.columns->columns[0] != c->at)
            continue;
        buf_puts(d->out, "              - relationships:\n");
        refers_to(d, &r, "                  ");
    }
}

static void dbt_column(const struct diagram *d, const struct diagram_column *c)
{
    struct diagram inner = *d;
    struct buf tests;
    buf_init(&tests, BUF_NO_LIMIT);
    inner.out = &tests;
    buf_puts(d->out, "          - name: ");
    server_name(d->out, c->column->name);
    buf_puts(d->out, "\n            quote: true\n            data_type: ");
    diagram_text_yaml(d->out, str_of(column_type_name(c->column->type)));
    buf_putc(d->out, '\n');
    if (!has_quote(c->column->name)) {
        buf_puts(&tests, c->column->not_null ? "              - not_null\n" : "");
        buf_puts(&tests, c->unique ? "              - unique\n" : "");
        column_references(&inner, c);
    }
    add_tests(d->out, "            data_tests:\n", &tests);
}

static void table_test(const struct diagram *d, const struct table *t, const char *test,
                       const uint32_t *list, uint32_t n)
{
    buf_addf(d->out, "          - %s:\n              column_name: ", test);
    sql_columns(d->out, t, list, n, diagram_text_yaml); /* which dbt does not render */
    buf_putc(d->out, '\n');
}

static void table_references(const struct diagram *d, const struct table *t)
{
    struct diagram_reference r;
    for (uint32_t i = 0; i < t->nreferences; i++) {
        if (!diagram_refer(d, t, i, &r) || beside_column(&r))
            continue;
        table_test(d, t, "relationships", r.columns->columns, r.columns->n);
        refers_to(d, &r, "              ");
    }
}

static void dbt_table_end(const struct diagram *d, const struct table *t)
{
    struct diagram inner = *d;
    struct buf tests;
    buf_init(&tests, BUF_NO_LIMIT);
    inner.out = &tests;
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        if (t->columns[i].not_null && has_quote(t->columns[i].name))
            table_test(&inner, t, "not_null", &i, 1);
    }
    if (t->nkey > 1 || (t->nkey == 1 && has_quote(t->columns[t->key[0]].name)))
        table_test(&inner, t, "unique", t->key, t->nkey);
    table_references(&inner, t);
    add_tests(d->out, "        data_tests:\n", &tests);
}

const struct diagram_format diagram_dbt = {
    .begin = dbt_begin, .table = dbt_table, .column = dbt_column, .table_end = dbt_table_end};
