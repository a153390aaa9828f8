/* SPDX-License-Identifier: MIT */
/* Reading the counters, and the findings that need no other run to be seen. */
#include "pipeline/profile/shape_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/profile/shape_report_private.h"

static const char *const NAMES[FINDING_KINDS] = {
    [FINDING_EMPTY_COLUMN] = "empty-column",   [FINDING_EMPTY_ENTITY] = "empty-entity",
    [FINDING_IDLE_STAGE] = "idle-stage",       [FINDING_EXTRA] = "extra-attribute",
    [FINDING_NEW_ATTRIBUTE] = "new-attribute", [FINDING_TYPE_CHANGE] = "type-change",
    [FINDING_NULL_JUMP] = "null-jump",
};

const char *profile_finding_name(enum finding_kind kind)
{
    return NAMES[kind];
}

static enum rc unknown(struct str name, struct err *err)
{
    struct buf list;
    buf_init(&list, 1024);
    for (int k = 0; k < FINDING_KINDS; k++)
        buf_addf(&list, "%s%s", k ? ", " : "", NAMES[k]);
    (void)err_set(err, RC_USAGE, "--fail-on knows no finding \"%.*s\"", STR_FMT(name));
    enum rc rc = err_hint(err, "it takes %s, with commas between", buf_cstr(&list));
    buf_release(&list);
    return rc;
}

enum rc profile_findings_parse(const char *list, unsigned *bits, struct err *err)
{
    *bits = 0;
    for (const char *p = list; p && *p;) {
        size_t n = strcspn(p, ",");
        int kind = 0;
        while (kind < FINDING_KINDS && !str_is(str_make(p, n), NAMES[kind]))
            kind++;
        if (kind == FINDING_KINDS)
            return unknown(str_make(p, n), err);
        *bits |= 1u << kind;
        p += n + (p[n] == ',');
    }
    return RC_OK;
}

enum rc profile_init(struct profile *p, const struct schema *s, struct err *err)
{
    *p = (struct profile){0};
    arena_init(&p->arena, 16384);
    bool ok = !profile_layout_init(&p->layout, s) && !extras_init(&p->extras, s, true);
    if (ok)
        return RC_OK;
    profile_release(p);
    return err_nomem(err);
}

void profile_release(struct profile *p)
{
    profile_layout_release(&p->layout);
    extras_release(&p->extras);
    free(p->findings);
    arena_release(&p->arena);
    *p = (struct profile){0};
}

uint64_t profile_rows(const struct profile *p, uint32_t table)
{
    return p->counters[CNT_FIXED + table] + p->counters[p->layout.copies + table];
}

uint64_t profile_kind(const struct profile *p, uint32_t table, uint32_t column,
                      enum val_kind kind)
{
    const struct column *c = &p->layout.schema->tables[table].columns[column];
    bool counted = c->extra ? kind == VAL_M : profile_layout_counts(c->type, kind);
    const struct profile_cell *cell = &p->layout.cells[p->layout.first[table] + column];
    return counted ? p->counters[profile_cell_at(cell, kind)] : 0;
}

uint64_t profile_filled(const struct profile *p, uint32_t table, uint32_t column)
{
    uint64_t n = 0;
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
        if (k != VAL_NULL)
            n += profile_kind(p, table, column, (enum val_kind)k);
    }
    return n;
}

uint64_t profile_extra_count(const struct extra *x)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < PROFILE_KINDS; k++)
        n += x->counts[k];
    return n;
}

enum rc profile_find(struct profile *p, enum finding_kind kind, struct str place,
                     struct str name, const char *text)
{
    struct finding *v = memory_push(p->findings, p->nfindings, &p->cap_findings, 32, sizeof *v);
    if (!v)
        return RC_NOMEM;
    p->findings = v;
    struct finding *f = &v[p->nfindings];
    *f = (struct finding){.kind = kind,
                          .place = arena_dup(&p->arena, place),
                          .name = arena_dup(&p->arena, name),
                          .text = arena_dup(&p->arena, str_of(text))};
    if (!f->place.p || !f->name.p || !f->text.p)
        return RC_NOMEM;
    p->nfindings++;
    return RC_OK;
}

/* A table without rows says nothing of its columns, and `extra` may well be empty. */
static enum rc find_columns(struct profile *p)
{
    const struct schema *s = p->layout.schema;
    enum rc rc = RC_OK;
    for (uint32_t t = 0; t < s->ntables; t++) {
        const struct table *table = &s->tables[t];
        for (uint32_t c = 0; !rc && profile_rows(p, t) && c < table->ncolumns; c++) {
            if (!table->columns[c].extra && profile_filled(p, t, c) == 0) {
                rc = profile_find(p, FINDING_EMPTY_COLUMN, table->name, table->columns[c].name,
                                  "");
            }
        }
    }
    return rc;
}

static enum rc find_entities(struct profile *p)
{
    const struct schema *s = p->layout.schema;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < s->nentities; i++) {
        if (p->counters[p->layout.entities + i] == 0 && !schema_left_out(s, i))
            rc = profile_find(p, FINDING_EMPTY_ENTITY, s->entities[i], STR(""), "");
    }
    return rc;
}

/* An entity without items, or a child table without rows, is told as such alone. */
static bool place_has_items(const struct profile *p, struct str place)
{
    const struct schema *s = p->layout.schema;
    for (uint32_t i = 0; i < s->nentities; i++) {
        if (str_eq(s->entities[i], place))
            return p->counters[p->layout.entities + i] > 0;
    }
    for (uint32_t i = 0; i < s->ntables; i++) {
        if (s->tables[i].kind == TABLE_CHILD && str_eq(s->tables[i].comment, place))
            return profile_rows(p, i) > 0;
    }
    return true;
}

static enum rc find_stages(struct profile *p)
{
    const struct schema *s = p->layout.schema;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < s->nstages; i++) {
        const struct schema_stage *stage = &s->stages[i];
        if (p->counters[p->layout.stages + i] == 0 && place_has_items(p, stage->place))
            rc = profile_find(p, FINDING_IDLE_STAGE, stage->place, stage->name, "");
    }
    return rc;
}

static enum rc find_extras(struct profile *p)
{
    const struct schema *s = p->layout.schema;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; i < p->extras.n; i++) {
        const struct extras_of *of = &p->extras.places[i];
        for (uint32_t k = 0; !rc && k < of->n; k++) {
            rc = profile_find(p, FINDING_EXTRA, extras_place_name(s, i), of->v[k]->name, "");
        }
    }
    return rc;
}

static int by_kind(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int c = (x->kind > y->kind) - (x->kind < y->kind);
    if (c == 0)
        c = str_cmp(x->place, y->place);
    return c ? c : str_cmp(x->name, y->name);
}

enum rc profile_look(struct profile *p, const uint64_t *counters, struct str last,
                     struct err *err)
{
    p->counters = counters;
    p->known = counters[p->layout.looked] == counters[CNT_ROUTED];
    p->nfindings = 0;
    if (!p->known)
        return RC_OK;
    enum rc rc = find_columns(p);
    if (!rc)
        rc = find_entities(p);
    if (!rc)
        rc = find_stages(p);
    if (!rc)
        rc = find_extras(p);
    if (!rc && last.n)
        rc = profile_compare(p, last);
    if (p->nfindings)
        qsort(p->findings, p->nfindings, sizeof *p->findings, by_kind);
    return rc ? err_nomem(err) : RC_OK;
}
