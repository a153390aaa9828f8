/* SPDX-License-Identifier: MIT */
/* Graphviz, https://graphviz.org/doc/info/shapes.html#html: a table is a node with an HTML-like
   label, a column a cell with a port. Nodes and ports have numbers, so that no name is syntax. */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"

static unsigned number(const struct diagram *d, const struct table *t)
{
    return (unsigned)(t - d->schema->tables);
}

static void dot_begin(const struct diagram *d)
{
    buf_puts(d->out,
             "digraph tables {\n"
             "  graph [rankdir=LR, nodesep=0.4, ranksep=1.2]\n"
             "  node [shape=plain, fontname=\"Helvetica\", fontsize=11]\n"
             "  edge [dir=both, arrowtail=crowodot, arrowhead=teetee, color=\"#555555\"]\n");
}

static void dot_table(const struct diagram *d, const struct table *t)
{
    buf_addf(d->out,
             "  t%u [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" "
             "cellpadding=\"4\">\n"
             "    <tr><td colspan=\"3\" bgcolor=\"#dfe7f2\"><b>",
             number(d, t));
    diagram_text_xml(d->out, t->name);
    buf_puts(d->out, "</b></td></tr>\n");
}

static void dot_column(const struct diagram *d, const struct diagram_column *c)
{
    const char *mark = c->key_place && c->refers ? "PK FK" : c->key_place ? "PK" : "FK";
    buf_addf(d->out, "    <tr><td port=\"c%u\" align=\"left\">", (unsigned)c->at);
    diagram_text_xml(d->out, c->column->name);
    buf_addf(d->out, "</td><td align=\"left\">%s</td><td>%s</td></tr>\n",
             column_type_name(c->column->type), c->key_place || c->refers ? mark : " ");
}

static void dot_table_end(const struct diagram *d, const struct table *t)
{
    (void)t;
    buf_puts(d->out, "    </table>>]\n");
}

/* An edge joins the first columns; where there are more, its label names all. */
static void edge_label(struct buf *out, const struct diagram_reference *r)
{
    buf_puts(out, " [label=<");
    for (uint32_t i = 0; i < r->columns->n; i++) {
        buf_puts(out, i ? ", " : "");
        diagram_text_xml(out, r->from->columns[r->columns->columns[i]].name);
    }
    buf_puts(out, ">]");
}

static void dot_reference(const struct diagram *d, const struct diagram_reference *r)
{
    buf_addf(d->out, "  t%u:c%u -> t%u:c%u", number(d, r->from),
             (unsigned)r->columns->columns[0], number(d, r->to),
             (unsigned)r->columns->to_columns[0]);
    buf_puts(d->out, r->single ? " [arrowtail=teeodot]" : "");
    buf_puts(d->out, r->optional ? " [arrowhead=teeodot]" : "");
    if (r->columns->n > 1)
        edge_label(d->out, r);
    buf_putc(d->out, '\n');
}

static void dot_end(const struct diagram *d)
{
    buf_puts(d->out, "}\n");
}

const struct diagram_format diagram_dot = {.begin = dot_begin,
                                           .table = dot_table,
                                           .column = dot_column,
                                           .table_end = dot_table_end,
                                           .reference = dot_reference,
                                           .end = dot_end};
