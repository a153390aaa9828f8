/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/text/column_writer.h"

#include <string.h>

#include "pipeline/base/json.h"
#include "pipeline/infer/words.h"

static void print_path(const struct infer_node *node, const struct infer_node *root,
                       struct buf *out)
{
    if (node->parent != root) {
        print_path(node->parent, root, out);
        buf_puts(out, ", ");
    }
    json_add_string(out, node->name);
}

void column_writer_path(const struct infer_node *node, const struct infer_node *root,
                        struct buf *out)
{
    bool plain = node->parent == root && node->name.n &&
                 !memchr(node->name.p, '.', node->name.n) &&
                 !memchr(node->name.p, '\\', node->name.n) && node->name.p[0] != '^';
    if (plain) {
        json_add_string(out, node->name);
        return;
    }
    buf_putc(out, '[');
    print_path(node, root, out);
    buf_putc(out, ']');
}

void column_writer_quoted(struct str name, struct buf *out)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    for (size_t i = 0; i < name.n; i++) {
        if (strchr("*?\\", name.p[i]) && name.p[i])
            buf_putc(&text, '\\');
        buf_putc(&text, name.p[i]);
    }
    json_add_string(out, buf_view(&text));
    out->rc = out->rc ? out->rc : text.rc;
    buf_release(&text);
}

/* Would another attribute fill the column, too? It got a longer name for that. */
static bool rivalled(const struct infer_table *t, const struct infer_column *c)
{
    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct infer_column *o = t->columns[i];
        if (o != c && o->node && !o->gone && o->name.n > c->name.n + 1 &&
            str_starts(o->name, c->name) && o->name.p[c->name.n] == '_')
            return true;
    }
    return false;
}

/* Does the column find its attribute by its name alone? */
static bool finds_itself(struct infer_design *d, const struct infer_table *t,
                         const struct infer_column *c)
{
    return !c->renamed && !rivalled(t, c) && c->node->parent == t->root &&
           str_eq(infer_snake(d, c->node->name), c->name);
}

/* Text that stands in a comment: one line, and not long. */
static void print_comment(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n && i < 60; i++)
        buf_putc(out, (unsigned char)s.p[i] < ' ' || s.p[i] == 127 ? ' ' : s.p[i]);
}

static void print_evidence(const struct infer_table *t, const struct infer_column *c,
                           struct buf *out)
{
    const struct infer_facts *f = &c->facts;
    const char *gap = " // ";
    if (f->filled < t->nrows) {
        buf_addf(out, "%s%u of %u", gap, f->filled, t->nrows);
        gap = "; ";
    }
    if (f->kinds[VAL_N] && f->kinds[VAL_S]) {
        buf_addf(out, "%s%u numbers, %u texts", gap, f->kinds[VAL_N], f->kinds[VAL_S]);
        gap = "; ";
    }
    if (c->unit) {
        buf_addf(out,
                 "%scounted from 1970, by its name and range: \"bigint\" would keep the number",
                 gap);
        gap = "; ";
    }
    if (c->node && words_personal(c->node->name)) {
        buf_addf(out, "%sperhaps personal data: see \"mask\"", gap);
        gap = "; ";
    }
    if (c->note.n) {
        buf_puts(out, gap);
        print_comment(c->note, out);
    }
}

void column_writer_print(struct infer_design *d, const struct infer_table *t,
                         const struct infer_column *c, const char *indent, struct buf *out)
{
    bool from = c->origin == INFER_ATTRIBUTE && !finds_itself(d, t, c);
    bool more =
        from || c->unit || c->lossy || c->null_if_given || c->not_null || c->prefer_part;
    buf_puts(out, indent);
    json_add_string(out, c->name);
    if (!more) {
        buf_addf(out, ": \"%s\",", c->type);
    } else {
        buf_addf(out, ": { \"type\": \"%s\"", c->type);
        if (from) {
            buf_puts(out, ", \"from\": ");
            column_writer_path(c->node, t->root, out);
        }
        if (c->unit)
            buf_addf(out, ", \"unit\": \"%s\"", c->unit);
        if (c->lossy)
            buf_addf(out, ", \"lossy\": \"%s\"", c->lossy);
        if (c->null_if_given) {
            buf_puts(out, ", \"null_if\": ");
            json_add_string(out, c->null_if);
        }
        if (c->prefer_part)
            buf_puts(out, ", \"prefer\": \"part\"");
        buf_puts(out, c->not_null ? ", \"not_null\": true }," : " },");
    }
    print_evidence(t, c, out);
    buf_putc(out, '\n');
}
