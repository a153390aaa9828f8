/* SPDX-License-Identifier: MIT */
/*
 * A data contract of the Open Data Contract Standard, v3.1, https://bitol-io.github.io/open-data-contract-standard/
 * A reference names plain words; where some name of the model is none, all things have ids and are
 * referred to by them.
 */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/ddl/quote.h"

static const char *logical_type(enum col_type type)
{
    if (column_types[type].array.set != VAL_MISSING)
        return "array";
    return column_types[type].logical ? column_types[type].logical : "string";
}

static void yaml_line(struct buf *out, const char *before, struct str text)
{
    buf_puts(out, before);
    diagram_text_yaml(out, text);
    buf_putc(out, '\n');
}

/* Only where the server cuts the name. */
static void physical_name(struct buf *out, const char *before, struct str name)
{
    bool cut = false;
    struct pg_name fit = pg_name_fit(name, &cut);
    if (cut)
        yaml_line(out, before, str_make(fit.text, fit.n));
}

static void contract_begin(const struct diagram *d)
{
    struct str hash = d->version;
    buf_puts(d->out, "apiVersion: v3.1.0\nkind: DataContract\n");
    yaml_line(d->out, "id: ", d->database);
    yaml_line(d->out, "name: ", d->database);
    /* in quotes: a hash of digits alone, or with one e among them, is a number without */
    buf_addf(d->out, "version: \"%.*s\"\nstatus: draft\n", (int)(hash.n < 12 ? hash.n : 12),
             hash.p);
    buf_puts(d->out, "description:\n  purpose: tables that renorm makes of a DynamoDB "
                     "single-table design\nschema:\n");
}

static void contract_table(const struct diagram *d, const struct table *t)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    yaml_line(d->out, "  - name: ", t->name);
    if (d->odd_names)
        buf_addf(d->out, "    id: t%u\n", (unsigned)(t - d->schema->tables));
    physical_name(d->out, "    physicalName: ", t->name);
    buf_puts(d->out, "    logicalType: object\n    physicalType: table\n");
    buf_addf(&text, "%s %.*s", diagram_kind(t), STR_FMT(t->comment));
    yaml_line(d->out, "    description: ", buf_view(&text));
    buf_puts(d->out, "    properties:\n");
    buf_release(&text);
}

static void contract_column(const struct diagram *d, const struct diagram_column *c)
{
    enum col_type type = c->column->type;
    yaml_line(d->out, "      - name: ", c->column->name);
    if (d->odd_names)
        buf_addf(d->out, "        id: c%u\n", (unsigned)c->at);
    physical_name(d->out, "        physicalName: ", c->column->name);
    buf_addf(d->out, "        logicalType: %s\n", logical_type(type));
    yaml_line(d->out, "        physicalType: ", str_of(column_type_name(type)));
    if (column_types[type].array.set != VAL_MISSING) {
        buf_addf(d->out, "        items: {logicalType: %s}\n",
                 logical_type(column_types[type].array.element));
    }
    if (c->column->not_null)
        buf_puts(d->out, "        required: true\n");
    if (c->unique)
        buf_puts(d->out, "        unique: true\n");
    if (c->key_place) {
        buf_addf(d->out, "        primaryKey: true\n        primaryKeyPosition: %u\n",
                 (unsigned)c->key_place);
    }
}

static void point(const struct diagram *d, const struct table *t, uint32_t column)
{
    if (d->odd_names) {
        buf_addf(d->out, "schema/t%u/properties/c%u", (unsigned)(t - d->schema->tables),
                 (unsigned)column);
    } else {
        buf_addf(d->out, "%.*s.%.*s", STR_FMT(t->name), STR_FMT(t->columns[column].name));
    }
}

static void points(const struct diagram *d, const struct table *t, const uint32_t *list,
                   uint32_t n)
{
    buf_puts(d->out, n > 1 ? "[" : "");
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(d->out, i ? ", " : "");
        point(d, t, list[i]);
    }
    buf_puts(d->out, n > 1 ? "]\n" : "\n");
}

static void relationship(const struct diagram *d, const struct diagram_reference *r)
{
    buf_puts(d->out, "      - type: foreignKey\n        from: ");
    points(d, r->from, r->columns->columns, r->columns->n);
    buf_puts(d->out, "        to: ");
    points(d, r->to, r->columns->to_columns, r->columns->n);
}

static void contract_table_end(const struct diagram *d, const struct table *t)
{
    struct diagram_reference r;
    const char *head = "    relationships:\n";
    for (uint32_t i = 0; i < t->nreferences; i++) {
        if (!diagram_refer(d, t, i, &r))
            continue;
        buf_puts(d->out, head);
        relationship(d, &r);
        head = "";
    }
}

const struct diagram_format diagram_contract = {.begin = contract_begin,
                                                .table = contract_table,
                                                .column = contract_column,
                                                .table_end = contract_table_end};
