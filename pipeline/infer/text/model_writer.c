/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/text/model_writer.h"

#include <string.h>

#include "pipeline/base/json.h"
#include "pipeline/infer/tables/templates.h"
#include "pipeline/infer/text/column_writer.h"

static void print_names(struct buf *out, const struct infer_table *t, const uint32_t *v,
                        uint32_t n)
{
    if (n != 1)
        buf_putc(out, '[');
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, i ? ", " : "");
        json_add_string(out, t->columns[v[i]]->name);
    }
    if (n != 1)
        buf_putc(out, ']');
}

static void print_template(const struct infer_template *t, const struct infer_table *table,
                           struct buf *out)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    templates_print(t, table, &text);
    json_add_string(out, t->attribute);
    buf_puts(out, ": ");
    json_add_string(out, buf_view(&text));
    out->rc = out->rc ? out->rc : text.rc;
    buf_release(&text);
}

/* A comma between members. */
static void next_member(bool *first, struct buf *out)
{
    buf_puts(out, *first ? "" : ", ");
    *first = false;
}

static void print_form(const struct infer_design *d, const struct infer_entity *e,
                       const struct infer_form *f, struct buf *out)
{
    bool first = true;
    buf_puts(out, "{ ");
    for (uint32_t k = 0; k < d->nkey; k++) {
        if (!f->keys[k].n)
            continue;
        next_member(&first, out);
        print_template(&f->keys[k], e->table, out);
    }
    buf_puts(out, " }");
}

static bool has_templates(const struct infer_design *d, const struct infer_entity *e)
{
    for (size_t f = 0; f < e->nforms; f++) {
        for (uint32_t k = 0; k < d->nkey; k++) {
            if (e->forms[f].keys[k].n)
                return true;
        }
    }
    return false;
}

static void print_keys(const struct infer_design *d, const struct infer_entity *e,
                       struct buf *out)
{
    if (!has_templates(d, e))
        return;
    buf_puts(out, "      \"keys\": ");
    if (e->nforms == 1) {
        print_form(d, e, &e->forms[0], out);
    } else {
        buf_puts(out, "[");
        for (size_t f = 0; f < e->nforms; f++) {
            buf_puts(out, "\n        ");
            print_form(d, e, &e->forms[f], out);
            buf_addf(out, "%s // %u items", f + 1 < e->nforms ? "," : "", e->forms[f].n);
        }
        buf_puts(out, "\n      ]");
    }
    buf_puts(out, ",\n");
}

static void print_glob(const struct infer_template *t, struct buf *out)
{
    struct buf text;
    buf_init(&text, (size_t)1 << 20);
    for (uint32_t i = 0; i < t->n; i++) {
        if (!t->v[i].literal.p) {
            buf_putc(&text, '*');
            if (i + 1 < t->n && t->v[i + 1].literal.p && i + 2 < t->n && t->v[i + 2].optional)
                break;
            continue;
        }
        for (size_t c = 0; c < t->v[i].literal.n; c++) {
            if (strchr("*?\\", t->v[i].literal.p[c]))
                buf_putc(&text, '\\');
            buf_putc(&text, t->v[i].literal.p[c]);
        }
    }
    json_add_string(out, buf_view(&text));
    out->rc = out->rc ? out->rc : text.rc;
    buf_release(&text);
}

static void print_condition(const struct infer_design *d, const struct infer_entity *e,
                            const struct infer_form *f, struct buf *out)
{
    bool first = true;
    buf_puts(out, "{ ");
    for (uint32_t k = 0; k < d->nkey; k++) {
        if (!f->keys[k].n)
            continue;
        next_member(&first, out);
        json_add_string(out, d->key[k]);
        buf_puts(out, ": ");
        print_glob(&f->keys[k], out);
    }
    for (size_t i = 0; i < e->nmust; i++) {
        next_member(&first, out);
        json_add_string(out, e->must[i]);
        buf_puts(out, ": { \"exists\": true }");
    }
    buf_puts(out, " }");
}

static void print_route(const struct infer_design *d, const struct infer_entity *e,
                        struct buf *out)
{
    bool unkeyed = !e->type.p && !has_templates(d, e);
    if (!e->by_when && !e->nmust && !unkeyed) {
        if (e->type.p && !str_eq(e->type, e->name)) {
            buf_puts(out, "      \"types\": [");
            json_add_string(out, e->type);
            buf_puts(out, "],\n");
        }
        return;
    }
    buf_puts(out, "      \"when\": ");
    if (e->nforms > 1)
        buf_puts(out, "{ \"any\": [");
    for (size_t f = 0; f < e->nforms; f++) {
        buf_puts(out, f ? ", " : "");
        print_condition(d, e, &e->forms[f], out);
    }
    if (e->nforms == 0)
        buf_puts(out, "{}");
    buf_puts(out, e->nforms > 1 ? "] },\n" : ",\n");
}

static bool linked(const struct infer_table *t, const struct infer_reference *r)
{
    return t->symmetric && r->n == 1 &&
           (r->columns[0] == t->key[0] || r->columns[0] == t->key[1]);
}

static void print_references(const struct infer_table *t, const char *indent, struct buf *out)
{
    bool first = true;
    for (size_t i = 0; i < t->nreferences; i++) {
        const struct infer_reference *r = &t->references[i];
        if (linked(t, r))
            continue;
        if (first)
            buf_addf(out, "%s\"references\": [", indent);
        buf_addf(out, "\n%s  { \"columns\": ", indent);
        first = false;
        print_names(out, t, r->columns, r->n);
        buf_puts(out, ", \"to\": ");
        json_add_string(out, r->to->name);
        buf_addf(out, " }, // %s%s; %llu rows, %llu without a parent",
                 r->doubtful ? "doubtful: by " : "by ", r->why, (unsigned long long)r->rows,
                 (unsigned long long)r->orphans);
    }
    for (size_t i = 0; i < t->nextracts; i++) {
        if (first)
            buf_addf(out, "%s\"references\": [", indent);
        first = false;
        buf_addf(out, "\n%s  { \"columns\": ", indent);
        print_names(out, t, &t->extracts[i].key, 1);
        buf_puts(out, ", \"to\": ");
        json_add_string(out, t->extracts[i].into);
        buf_puts(out, " }, // a table that exists only as copies");
    }
    if (!first)
        buf_addf(out, "\n%s],\n", indent);
}

static void print_link(const struct infer_table *t, struct buf *out)
{
    buf_puts(out, "\n        { \"link\": { ");
    bool first = true;
    for (uint32_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < t->nreferences; i++) {
            const struct infer_reference *r = &t->references[i];
            if (r->n != 1 || r->columns[0] != t->key[k])
                continue;
            buf_puts(out, first ? "" : ", ");
            first = false;
            json_add_string(out, t->columns[t->key[k]]->name);
            buf_puts(out, ": ");
            json_add_string(out, r->to->name);
            break;
        }
    }
    buf_puts(out, " }, \"symmetric\": true }, // each pair stands there from both sides");
}

static void print_extract(struct infer_design *d, const struct infer_table *t,
                          const struct infer_extract *x, struct buf *out)
{
    buf_puts(out, "\n        { \"extract\": { \"into\": ");
    json_add_string(out, x->into);
    buf_puts(out, ", \"key\": ");
    json_add_string(out, t->columns[x->key]->name);
    buf_addf(out, ", \"rule\": \"%s\", // %llu rows disagree with most of their kind\n",
             x->differ ? "majority" : "first", (unsigned long long)x->differ);
    buf_puts(out, "            \"columns\": {\n");
    column_writer_print(d, t, t->columns[x->key], "              ", out);
    for (uint32_t i = 0; i < x->n; i++) {
        struct infer_column copy = *t->columns[x->columns[i]];
        copy.name = str_from(copy.name, x->into.n + 1);
        copy.not_null = false;
        copy.renamed = true;
        column_writer_print(d, t, &copy, "              ", out);
    }
    buf_puts(out, "            } } },");
}

static void print_explode(struct infer_design *d, const struct infer_table *child,
                          const char *indent, struct buf *out)
{
    struct str deeper = infer_printf(d, "%s    ", indent);
    buf_addf(out, "\n%s{ \"explode\": { \"from\": ", indent);
    column_writer_path(child->node, child->parent->root, out);
    buf_puts(out, ", \"into\": ");
    json_add_string(out, child->name);
    if (child->explode == CHILD_LIST) {
        buf_puts(out, ", \"ordinal\": ");
        json_add_string(out, child->columns[0]->name);
    }
    buf_addf(out, ", // %u rows\n", child->nrows);
    print_references(child, deeper.p, out);
    buf_addf(out, "%s\"columns\": {\n", deeper.p);
    for (size_t i = 0; i < child->ncolumns; i++) {
        if (!child->columns[i]->gone && child->columns[i]->origin != INFER_ORDINAL) {
            column_writer_print(d, child, child->columns[i],
                                infer_printf(d, "%s  ", deeper.p).p, out);
        }
    }
    buf_addf(out, "%s}", deeper.p);
    if (child->nchildren) {
        buf_addf(out, ",\n%s\"stages\": [", deeper.p);
        for (size_t i = 0; i < child->nchildren; i++)
            print_explode(d, child->children[i], infer_printf(d, "%s  ", deeper.p).p, out);
        buf_addf(out, "\n%s]", deeper.p);
    }
    buf_puts(out, " } },");
}

static void print_stages(struct infer_design *d, const struct infer_entity *e, struct buf *out)
{
    const struct infer_table *t = e->table;
    if (!t->ntemplates && !t->nchildren && !t->nextracts && !t->symmetric)
        return;
    buf_puts(out, "      \"stages\": [");
    for (size_t i = 0; i < t->ntemplates; i++) {
        buf_puts(out, "\n        { \"keys\": { ");
        print_template(&t->templates[i], t, out);
        buf_puts(out, " } },");
    }
    if (t->symmetric)
        print_link(t, out);
    for (size_t i = 0; i < t->nchildren; i++)
        print_explode(d, t->children[i], "        ", out);
    for (size_t i = 0; i < t->nextracts; i++)
        print_extract(d, t, &t->extracts[i], out);
    buf_puts(out, "\n      ],\n");
}

static void print_entity(struct infer_design *d, const struct infer_entity *e, struct buf *out)
{
    const struct infer_table *t = e->table;
    buf_addf(out, "    // %u of %u items%s\n    ", e->n, d->nitems,
             e->untyped && e->type.p ? ", some without the type attribute" : "");
    json_add_string(out, e->name);
    buf_puts(out, ": {\n");
    print_route(d, e, out);
    print_keys(d, e, out);
    buf_puts(out, "      \"table\": ");
    json_add_string(out, t->name);
    buf_puts(out, ",\n");
    if (t->nkey) {
        buf_puts(out, "      \"primary_key\": ");
        print_names(out, t, t->key, t->nkey);
        buf_puts(out, ",\n");
    } else {
        buf_puts(out, "      // no column, nor all parts of the key together, is unique\n");
    }
    if (e->mirror || e->mirrored)
        buf_puts(out, "      \"merge\": \"first\", // each pair is stored from both sides\n");
    if (!e->mirror)
        print_references(t, "      ", out);
    print_stages(d, e, out);
    buf_puts(out, "      \"columns\": {\n");
    for (size_t i = 0; i < t->ncolumns; i++) {
        if (!t->columns[i]->gone && !t->columns[i]->as_copy)
            column_writer_print(d, t, t->columns[i], "        ", out);
    }
    buf_puts(out, "      }\n    },\n");
}

static void print_source(const struct infer_design *d, struct buf *out)
{
    buf_puts(out, "  \"source\": {\n    \"type\": ");
    if (d->type.n) {
        json_add_string(out, d->type);
    } else {
        buf_puts(out, "null");
    }
    if (d->nkey) {
        buf_puts(out, ",\n    \"key\": [");
        for (uint32_t k = 0; k < d->nkey; k++) {
            buf_puts(out, k ? ", " : "");
            json_add_string(out, d->key[k]);
        }
        buf_puts(out, "]");
    }
    if (d->nkey || d->nindexing) {
        buf_puts(out, ",\n    \"indexing\": [");
        for (uint32_t k = 0; k < d->nkey; k++) {
            buf_puts(out, k ? ", " : "");
            column_writer_quoted(d->key[k], out);
        }
        for (size_t i = 0; i < d->nindexing; i++) {
            buf_puts(out, i || d->nkey ? ", " : "");
            column_writer_quoted(d->indexing[i], out);
        }
        buf_puts(out, "]");
    }
    buf_puts(out, "\n  },\n");
}

void model_writer_print(struct infer_design *d, struct str name, struct buf *out)
{
    buf_addf(out, "// Inferred from %llu items", (unsigned long long)d->read);
    if (d->nitems < d->read)
        buf_addf(out, ", by a sample of %u that has each shape of them", d->nitems);
    buf_puts(
        out,
        ". Counts beside a decision are what was seen.\n{\n  \"renorm\": 1,\n  \"name\": ");
    json_add_string(out, name);
    buf_puts(out, ",\n");
    print_source(d, out);
    buf_puts(out, "  \"entities\": {\n");
    for (size_t i = 0; i < d->nentities; i++)
        print_entity(d, d->entities[i], out);
    buf_puts(out, "  }\n}\n");
}
