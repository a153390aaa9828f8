/* SPDX-License-Identifier: MIT */
/*
 * Mermaid's entity-relationship diagrams, https://mermaid.js.org/syntax/entityRelationshipDiagram.html
 * An entity may be quoted, a column may not: it is written as a word, with its true name in its
 * comment. Inside quotes "#34;" is the character of that number.
 */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"

/* Words that Mermaid's scanner does not take for a name, in any case. */
static bool is_keyword(struct str s)
{
    static const char *const WORDS[] = {
        "pk",       "fk",      "uk",       "erdiagram", "style",      "class",
        "classdef", "one",     "many",     "only",      "zero",       "to",
        "u",        "title",   "acctitle", "accdescr",  "optionally", "direction",
        "end",      "default", "subgraph", "section",   NULL};
    return diagram_text_is_one_of(s, WORDS);
}

static bool is_plain(struct str s)
{
    return diagram_text_is_word(s) && !is_keyword(s);
}

/* Letters, digits, '_' and what cannot have a meaning of its own stand for themselves. */
static void quoted(struct buf *out, struct str s)
{
    static const char BARE[] = " _-.,()/[]+=*!?@";
    struct str bytes;
    buf_putc(out, '"');
    for (size_t at = 0; at < s.n;) {
        uint32_t c = diagram_text_next(s, &at, &bytes);
        bool bare = diagram_text_is_word(bytes) || (c >= '0' && c <= '9') || c > 0xBF ||
                    (c && c < 0x80 && strchr(BARE, (int)c));
        if (bare) {
            buf_add_str(out, bytes);
        } else {
            buf_addf(out, "#%u;", (unsigned)c);
        }
    }
    buf_putc(out, '"');
}

static void entity(struct buf *out, struct str name)
{
    if (is_plain(name)) {
        buf_add_str(out, name);
    } else {
        quoted(out, name);
    }
}

static void mermaid_begin(const struct diagram *d)
{
    buf_puts(d->out, "erDiagram\n");
}

static void mermaid_table(const struct diagram *d, const struct table *t)
{
    buf_puts(d->out, "    ");
    entity(d->out, t->name);
    buf_puts(d->out, " {\n");
}

/* Types and columns are words: whatever else is in them becomes '_'. */
static void word(struct buf *out, struct str s)
{
    struct str bytes;
    if (s.n == 0 || !diagram_text_is_word(str_make(s.p, 1)) || is_keyword(s))
        buf_putc(out, '_');
    for (size_t at = 0; at < s.n;) {
        uint32_t c = diagram_text_next(s, &at, &bytes);
        bool fits =
            diagram_text_is_word(bytes) || (c >= '0' && c <= '9') || c == '[' || c == ']';
        buf_add_str(out, fits ? bytes : STR("_"));
    }
}

static void mermaid_column(const struct diagram *d, const struct diagram_column *c)
{
    struct str name = c->column->name;
    buf_puts(d->out, "        ");
    word(d->out, str_of(column_type_name(c->column->type)));
    buf_putc(d->out, ' ');
    word(d->out, name);
    if (c->key_place || c->refers) {
        buf_addf(d->out, " %s%s%s", c->key_place ? "PK" : "",
                 c->key_place && c->refers ? ", " : "", c->refers ? "FK" : "");
    }
    if (!is_plain(name)) {
        buf_putc(d->out, ' ');
        quoted(d->out, name);
    }
    buf_putc(d->out, '\n');
}

static void mermaid_table_end(const struct diagram *d, const struct table *t)
{
    (void)t;
    buf_puts(d->out, "    }\n");
}

static void mermaid_reference(const struct diagram *d, const struct diagram_reference *r)
{
    struct buf names;
    buf_init(&names, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < r->columns->n; i++) {
        buf_puts(&names, i ? ", " : "");
        buf_add_str(&names, r->from->columns[r->columns->columns[i]].name);
    }
    buf_puts(d->out, "    ");
    entity(d->out, r->to->name);
    buf_addf(d->out, " %s--%s ", r->optional ? "|o" : "||", r->single ? "o|" : "o{");
    entity(d->out, r->from->name);
    buf_puts(d->out, " : ");
    quoted(d->out, buf_view(&names));
    buf_putc(d->out, '\n');
    buf_release(&names);
}

const struct diagram_format diagram_mermaid = {.begin = mermaid_begin,
                                               .table = mermaid_table,
                                               .column = mermaid_column,
                                               .table_end = mermaid_table_end,
                                               .reference = mermaid_reference};
