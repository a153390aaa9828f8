/* SPDX-License-Identifier: MIT */
/* A table has a line for its name, one for each column, and one for each reference. */
#include "cmd/print/model_tables.h"

#include "cmd/print/diagram/diagram.h"
#include "pipeline/item/cast/column_type.h"

static const char *key_mark(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return "key";
    }
    return t->columns[column].not_null ? "not null" : "";
}

static void print_references(const struct schema *s, const struct table *t, struct buf *out)
{
    for (uint32_t i = 0; i < t->nreferences; i++) {
        const struct reference *r = &t->references[i];
        buf_puts(out, "    (");
        for (uint32_t k = 0; k < r->n; k++)
            buf_addf(out, "%s%.*s", k ? ", " : "", STR_FMT(t->columns[r->columns[k]].name));
        buf_addf(out, ") -> %.*s\n", STR_FMT(s->tables[r->to].name));
    }
}

static void print_table(const struct schema *s, const struct table *t, struct buf *out)
{
    buf_addf(out, "%.*s  (%s %.*s)\n", STR_FMT(t->name), diagram_kind(t), STR_FMT(t->comment));
    for (uint32_t i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        const char *mark = c->extra ? "what the model does not name" : key_mark(t, i);
        buf_addf(out, "    %-28.*s %-*s%s\n", STR_FMT(c->name), *mark ? 19 : 0,
                 column_type_name(c->type), mark);
    }
    print_references(s, t, out);
    buf_putc(out, '\n');
}

static void print_backfill(const struct entity *e, struct buf *out)
{
    if (e->nbackfill == 0)
        return;
    buf_addf(out, "%.*s  (backfill%s)\n", STR_FMT(e->name),
             e->backfill_missing == MISSING_FAIL ? ", missing inputs fail" : "");
    for (uint32_t i = 0; i < e->nbackfill; i++) {
        const struct backfill_spec *b = &e->backfill[i];
        buf_addf(out, "    %-28.*s ", STR_FMT(b->attribute));
        if (b->remove) {
            buf_puts(out, "removed\n");
        } else {
            buf_addf(out, "%-19s%.*s\n", value_kind_name(b->kind), STR_FMT(b->tpl.text));
        }
    }
    if (e->backfill_when) {
        buf_puts(out, "    when ");
        condition_print(e->backfill_when, out);
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}

void model_tables_print(const struct plan *plan, struct buf *out)
{
    const struct schema *s = &plan->schema;
    for (uint32_t i = 0; i < s->ntables; i++)
        print_table(s, &s->tables[i], out);
    for (uint32_t i = 0; i < plan->model->nentities; i++)
        print_backfill(&plan->model->entities[i], out);
}

/* A line for each table: its key, and the tables that it refers to. */
static void print_brief(const struct schema *s, const struct table *t, struct buf *out)
{
    buf_addf(out, "%-28.*s %3u column%s", STR_FMT(t->name), t->ncolumns,
             t->ncolumns == 1 ? " " : "s");
    for (uint32_t i = 0; i < t->nkey; i++) {
        buf_addf(out, "%s%.*s", i ? ", " : ", key ", STR_FMT(t->columns[t->key[i]].name));
    }
    for (uint32_t i = 0; i < t->nreferences; i++) {
        buf_addf(out, "%s%.*s", i ? ", " : " -> ",
                 STR_FMT(s->tables[t->references[i].to].name));
    }
    buf_putc(out, '\n');
}

void model_tables_brief(const struct plan *plan, struct buf *out)
{
    for (uint32_t i = 0; i < plan->schema.ntables; i++)
        print_brief(&plan->schema, &plan->schema.tables[i], out);
    buf_putc(out, '\n');
}
