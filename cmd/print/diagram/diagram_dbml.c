/* SPDX-License-Identifier: MIT */
/* DBML, https://dbml.dbdiagram.io/docs: names in double quotes, notes in single ones, a backslash
   escapes in both. */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"

static void quoted(struct buf *out, struct str s, char mark)
{
    struct str bytes;
    buf_putc(out, mark);
    for (size_t at = 0; at < s.n;) {
        uint32_t c = diagram_text_next(s, &at, &bytes);
        if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029) {
            buf_addf(out, "\\u%04x", (unsigned)c);
            continue;
        }
        if (c == '\\' || c == (uint32_t)mark)
            buf_putc(out, '\\');
        buf_add_str(out, bytes);
    }
    buf_putc(out, mark);
}

static void name(struct buf *out, struct str s)
{
    quoted(out, s, '"');
}

/* `("a", "b")`, or `"a"` alone. */
static void columns(struct buf *out, const struct table *t, const uint32_t *list, uint32_t n)
{
    buf_puts(out, n > 1 ? "(" : "");
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, i ? ", " : "");
        name(out, t->columns[list[i]].name);
    }
    buf_puts(out, n > 1 ? ")" : "");
}

static void dbml_table(const struct diagram *d, const struct table *t)
{
    buf_puts(d->out, "Table ");
    name(d->out, t->name);
    buf_puts(d->out, " {\n");
}

static void dbml_column(const struct diagram *d, const struct diagram_column *c)
{
    buf_puts(d->out, "  ");
    name(d->out, c->column->name);
    buf_putc(d->out, ' ');
    name(d->out, str_of(column_type_name(c->column->type)));
    if (c->unique) {
        buf_puts(d->out, " [pk, not null]");
    } else if (c->column->not_null) {
        buf_puts(d->out, " [not null]");
    } else if (c->column->extra) {
        buf_puts(d->out, " [note: 'what the model does not name']");
    }
    buf_putc(d->out, '\n');
}

static void dbml_table_end(const struct diagram *d, const struct table *t)
{
    struct buf note;
    buf_init(&note, BUF_NO_LIMIT);
    if (t->nkey > 1) {
        buf_puts(d->out, "  indexes {\n    ");
        columns(d->out, t, t->key, t->nkey);
        buf_puts(d->out, " [pk]\n  }\n");
    }
    buf_addf(&note, "%s %.*s", diagram_kind(t), STR_FMT(t->comment));
    buf_puts(d->out, "  Note: ");
    quoted(d->out, buf_view(&note), '\'');
    buf_puts(d->out, "\n}\n\n");
    buf_release(&note);
}

static void dbml_reference(const struct diagram *d, const struct diagram_reference *r)
{
    bool itself = r->from == r->to;
    for (uint32_t i = 0; itself && i < r->columns->n; i++)
        itself = r->columns->columns[i] == r->columns->to_columns[i];
    if (itself)
        return; /* DBML refuses two ends that are one */
    buf_puts(d->out, "Ref: ");
    name(d->out, r->from->name);
    buf_putc(d->out, '.');
    columns(d->out, r->from, r->columns->columns, r->columns->n);
    buf_addf(d->out, " %c ", r->single ? '-' : '>');
    name(d->out, r->to->name);
    buf_putc(d->out, '.');
    columns(d->out, r->to, r->columns->to_columns, r->columns->n);
    buf_putc(d->out, '\n');
}

const struct diagram_format diagram_dbml = {.table = dbml_table,
                                            .column = dbml_column,
                                            .table_end = dbml_table_end,
                                            .reference = dbml_reference};
