/* SPDX-License-Identifier: MIT */
/* The walk. What a key or a reference is, is decided here and nowhere else. */
#include "cmd/print/diagram/diagram.h"

#include "cmd/print/diagram/diagram_text.h"

const char *diagram_kind(const struct table *t)
{
    static const char *const KINDS[] = {[TABLE_ENTITY] = "entity",
                                        [TABLE_CHILD] = "exploded from",
                                        [TABLE_EXTRACT] = "extracted from",
                                        [TABLE_CONFLICT] = "conflicts of"};
    return KINDS[t->kind];
}

static bool has(const uint32_t *list, uint32_t n, uint32_t column)
{
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] == column)
            return true;
    }
    return false;
}

static uint32_t key_place(const struct table *t, uint32_t column)
{
    for (uint32_t i = 0; i < t->nkey; i++) {
        if (t->key[i] == column)
            return i + 1;
    }
    return 0;
}

/* As with foreign keys: what is referred to must be the whole key. */
static bool can_refer(const struct table *to, const struct reference *r)
{
    bool can = to->nkey == r->n && r->n > 0;
    for (uint32_t i = 0; can && i < r->n; i++)
        can = has(to->key, to->nkey, r->to_columns[i]);
    return can;
}

bool diagram_refer(const struct diagram *d, const struct table *t, uint32_t i,
                   struct diagram_reference *out)
{
    const struct reference *ref = &t->references[i];
    *out = (struct diagram_reference){
        .from = t, .to = &d->schema->tables[ref->to], .columns = ref, .single = t->nkey > 0};
    for (uint32_t k = 0; k < ref->n; k++)
        out->optional = out->optional || !t->columns[ref->columns[k]].not_null;
    for (uint32_t k = 0; k < t->nkey; k++)
        out->single = out->single && has(ref->columns, ref->n, t->key[k]);
    return can_refer(out->to, ref);
}

static void walk_column(const struct diagram *d, const struct diagram_format *f,
                        const struct table *t, uint32_t at)
{
    struct diagram_column c = {
        .table = t, .column = &t->columns[at], .at = at, .key_place = key_place(t, at)};
    c.unique = c.key_place && t->nkey == 1;
    for (uint32_t i = 0; i < t->nreferences; i++)
        c.refers = c.refers || has(t->references[i].columns, t->references[i].n, at);
    f->column(d, &c);
}

static void walk_table(const struct diagram *d, const struct diagram_format *f,
                       const struct table *t)
{
    f->table(d, t);
    for (uint32_t i = 0; i < t->ncolumns; i++)
        walk_column(d, f, t, i);
    if (f->table_end)
        f->table_end(d, t);
}

static void walk_references(const struct diagram *d, const struct diagram_format *f,
                            const struct table *t)
{
    struct diagram_reference r;
    for (uint32_t i = 0; i < t->nreferences; i++) {
        if (diagram_refer(d, t, i, &r))
            f->reference(d, &r);
    }
}

static bool has_odd_names(const struct schema *s)
{
    for (uint32_t i = 0; i < s->ntables; i++) {
        const struct table *t = &s->tables[i];
        bool plain = diagram_text_is_word(t->name);
        for (uint32_t c = 0; plain && c < t->ncolumns; c++)
            plain = diagram_text_is_word(t->columns[c].name);
        if (!plain)
            return true;
    }
    return false;
}

void diagram_print(const struct plan *plan, struct str database, const struct diagram_format *f,
                   struct buf *out)
{
    const struct schema *s = &plan->schema;
    struct str name = s->name.n ? s->name : STR("public");
    struct diagram d = {.schema = s,
                        .database = database.n ? database : name,
                        .version = plan->model->hash,
                        .odd_names = has_odd_names(s),
                        .out = out};
    if (f->whole) {
        f->whole(&d);
        return;
    }
    if (f->begin)
        f->begin(&d);
    for (uint32_t i = 0; i < s->ntables; i++)
        walk_table(&d, f, &s->tables[i]);
    for (uint32_t i = 0; f->reference && i < s->ntables; i++)
        walk_references(&d, f, &s->tables[i]);
    if (f->end)
        f->end(&d);
}
