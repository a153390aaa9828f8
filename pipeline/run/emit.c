/* SPDX-License-Identifier: MIT */
/*
 * Runs a shape over members: walk, key parts, stages, cells, rest, children. An exploded
 * element is walked like an item, with its parent's key cells copied in front.
 */
#include "pipeline/run/emit.h"

#include <stdlib.h>

#include "pipeline/item/canon.h"
#include "pipeline/model/row_width.h"
#include "pipeline/run/rest.h"
#include "pipeline/stage/keys.h"

/* The worker's own state of a shape: the names it has seen. */
struct known {
    const struct shape *shape;
    struct walk_level *level;
    bool alters;         /* it takes members out of the maps it is given, or masks them */
    struct known **kids; /* one per explode */
};

struct emit {
    const struct plan *plan;
    struct known **entities;
    struct str mask_key;
    int64_t now_us;
    bool bursts; /* some table's rows may be too wide */
    struct buf text;
};

/* What an element needs of its parent. */
struct up {
    const struct val **slots;
    size_t row; /* index of the parent's row: the array of rows may move */
    uint32_t ordinal;
};

static void known_free(struct known *k)
{
    if (!k)
        return;
    for (uint32_t i = 0; k->kids && i < k->shape->nexplodes; i++)
        known_free(k->kids[i]);
    free(k->kids);
    walk_free(k->level);
    free(k);
}

/* Is a member of a map inside the shape's own dropped? The walk takes it out of that map. */
static bool cuts_maps(const struct name_node *at, bool root)
{
    for (const struct name_node *k = at->kids; k; k = k->next) {
        if ((!root && k->dropped) || cuts_maps(k, false))
            return true;
    }
    return false;
}

static struct known *known_new(const struct plan *plan, const struct shape *shape)
{
    struct known *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->shape = shape;
    k->level = walk_new(plan, shape);
    k->alters = shape->masks || cuts_maps(shape->names, true);
    k->kids = calloc(shape->nexplodes + 1, sizeof(struct known *));
    bool ok = k->level && k->kids;
    for (uint32_t i = 0; ok && i < shape->nexplodes; i++) {
        k->kids[i] = known_new(plan, shape->explodes[i].shape);
        ok = k->kids[i] != NULL;
    }
    if (ok)
        return k;
    known_free(k);
    return NULL;
}

struct emit *emit_new(const struct plan *plan, struct str mask_key, int64_t now_us)
{
    struct emit *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    *e = (struct emit){.plan = plan, .mask_key = mask_key, .now_us = now_us};
    buf_init(&e->text, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < plan->schema.ntables; i++)
        e->bursts |= plan->schema.tables[i].bursts;
    uint32_t n = plan->model->nentities;
    e->entities = calloc(n + 1, sizeof(struct known *));
    bool ok = e->entities != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        e->entities[i] = known_new(plan, plan->shapes[i]);
        ok = e->entities[i] != NULL;
    }
    if (ok)
        return e;
    emit_free(e);
    return NULL;
}

void emit_free(struct emit *e)
{
    if (!e)
        return;
    for (uint32_t i = 0; e->entities && i < e->plan->model->nentities; i++)
        known_free(e->entities[i]);
    free(e->entities);
    buf_release(&e->text);
    free(e);
}

/* Symmetric links: the smaller side first; `order` tells which direction this was. */
static void mirror(struct frame *f, struct row *row)
{
    const struct table *t = &f->schema->tables[row->table];
    if (f->shape->mirror == UINT32_MAX || t->nkey != 2)
        return;
    struct datum *a = &row->cells[t->key[0]], *b = &row->cells[t->key[1]];
    bool swapped = datum_cmp(t->columns[t->key[0]].type, a, b) > 0;
    if (swapped) {
        struct datum kept = *a;
        *a = *b;
        *b = kept;
    }
    row->extract = f->shape->mirror;
    row->order_type = COL_TEXT;
    row->order = (struct datum){.state = DATUM_VALUE, .u.text = swapped ? STR("1") : STR("0")};
}

static enum rc run_shape(struct emit *e, struct known *k, struct emit_job *job,
                         const struct val *map, const struct up *up);

/* One element as the members its shape sees: a map's own, unless they are to be changed, for
   another explode may read the same elements. */
static enum rc element_members(const struct explode *x, bool alters, struct str key,
                               const struct val *element, struct arena *a, struct val *out)
{
    bool map = element->kind == VAL_M;
    if (map && !alters && x->mode != EXPLODE_MAP) {
        *out = *element;
        return RC_OK;
    }
    uint32_t n = map ? element->n : 1;
    struct member *m = arena_alloc(a, ((size_t)n + 1) * sizeof *m);
    if (!m)
        return RC_NOMEM;
    struct val own;
    if (x->shape->masks) {
        if (!val_copy(element, a, &own))
            return RC_NOMEM;
        element = &own;
    }
    uint32_t at = 0;
    if (x->mode == EXPLODE_MAP)
        m[at++] = (struct member){STR("key"), {.kind = VAL_S, .u.s = key}};
    if (map && n) {
        memcpy(m + at, element->u.members, n * sizeof *m);
    } else if (!map) {
        m[at] = (struct member){STR("value"), *element};
    }
    *out = (struct val){.kind = VAL_M, .n = at + n, .u.members = m};
    return RC_OK;
}

static enum rc explode_one(struct emit *e, struct known *k, const struct explode *x,
                           struct emit_job *job, struct up *up)
{
    const struct val *v = NULL;
    for (uint32_t i = 0; i < x->from.n && !v; i++)
        v = up->slots[x->from.slots[i]];
    if (!v || v->kind == VAL_NULL)
        return RC_OK;
    bool is_map = v->kind == VAL_M && x->mode == EXPLODE_MAP;
    bool is_list = v->kind == VAL_L || v->kind >= VAL_SS;
    if (x->mode == EXPLODE_MAP && !is_map) {
        return fault_set(job->why, "explode-kind", 0,
                         "\"%.*s\" is of type %s, a map is exploded", STR_FMT(x->name),
                         val_kind_name(v->kind));
    }
    uint32_t n = is_map || is_list ? v->n : 1; /* a scalar is a list of one */
    enum rc rc = RC_OK;
    for (uint32_t i = 0; rc == RC_OK && i < n; i++) {
        const struct val *element = is_map ? &v->u.members[i].val : is_list ? &v->u.list[i] : v;
        struct str key = is_map ? v->u.members[i].name : (struct str){0};
        struct val members;
        rc = element_members(x, k->alters, key, element, job->arena, &members);
        up->ordinal = i;
        if (rc == RC_OK)
            rc = run_shape(e, k, job, &members, up);
    }
    return rc;
}

static enum rc run_ops(struct frame *f, struct emit_job *job)
{
    const struct shape *s = f->shape;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; rc == RC_OK && i < s->nkeys; i++)
        rc = key_apply(&s->keys[i], f);
    if (rc == RC_DATA)
        job->stage = "keys";
    for (uint32_t i = 0; rc == RC_OK && i < s->nops; i++) {
        rc = s->ops[i].apply(&s->ops[i], f);
        if (rc == RC_OK)
            continue;
        job->stage = s->ops[i].name;
        job->spec = s->ops[i].spec;
        job->note = s->ops[i].note;
    }
    return rc;
}

static void put_parent(const struct schema *schema, const struct shape *s,
                       const struct emit_job *job, const struct up *up, struct row *row)
{
    if (!up)
        return;
    const struct row *parent = &job->rows->v[up->row];
    const uint32_t *key = schema->tables[parent->table].key;
    for (uint32_t i = 0; i < s->parent_key; i++)
        row->cells[i] = parent->cells[key[i]];
    if (s->ordinal != SLOT_NONE)
        row->cells[s->ordinal] = (struct datum){.state = DATUM_VALUE, .u.i = up->ordinal};
}

static enum rc add_row(struct emit *e, struct frame *f, const struct rest_list *rest,
                       const struct emit_job *job, const struct up *up)
{
    const struct shape *s = f->shape;
    struct row *row = rows_add(job->rows, job->arena, f->schema, s->table);
    if (!row)
        return RC_NOMEM;
    row->source_key = job->source_key;
    put_parent(f->schema, s, job, up, row);
    enum rc rc = fills_cast(&s->fills, &f->schema->tables[s->table], f, row->cells);
    if (rc == RC_OK)
        rc = rest_put(&e->text, rest, f, row->cells);
    if (rc == RC_OK && s->merge != UINT32_MAX)
        row->extract = s->merge;
    if (rc == RC_OK)
        mirror(f, row);
    return rc;
}

static enum rc run_shape(struct emit *e, struct known *k, struct emit_job *job,
                         const struct val *map, const struct up *up)
{
    const struct shape *s = k->shape;
    size_t start = job->rows->n;
    struct rest_list rest = {0};
    struct frame f = {.shape = s,
                      .schema = &e->plan->schema,
                      .slots = arena_array(job->arena, s->nslots, sizeof(struct val *)),
                      .arena = job->arena,
                      .why = job->why,
                      .notes = job->notes,
                      .out = job->rows,
                      .source_key = job->source_key,
                      .mask_key = e->mask_key,
                      .now_us = e->now_us};
    if (s->extract_only)
        f.taken = arena_array(job->arena, s->nslots, sizeof *f.taken);
    if (!f.slots || (s->extract_only && !f.taken))
        return RC_NOMEM;
    for (uint32_t i = 0; up && i < s->nimports; i++)
        f.slots[s->imports[i].to] = up->slots[s->imports[i].from];
    enum rc rc = walk_members(k->level, map->u.members, map->n, &f, &rest);
    if (rc == RC_OK)
        rc = run_ops(&f, job);
    size_t row = job->rows->n;
    if (rc == RC_END && up) {
        job->rows->n = start; /* a filtered element is left out, its item stays */
        notes_add(job->notes, job->note, 1);
        return RC_OK;
    }
    if (rc == RC_OK)
        rc = add_row(e, &f, &rest, job, up);
    struct up below = {f.slots, row, 0};
    for (uint32_t i = 0; rc == RC_OK && i < s->nexplodes; i++)
        rc = explode_one(e, k->kids[i], &s->explodes[i], job, &below);
    return rc;
}

/* Most models have no table whose rows may burst: then nothing is looked at. */
static enum rc check_widths(const struct schema *s, const struct emit_job *job, size_t from)
{
    for (size_t i = from; i < job->rows->n; i++) {
        const struct row *row = &job->rows->v[i];
        const struct table *t = &s->tables[row->table];
        size_t n = t->bursts ? table_row_width(t, row->cells) : 0;
        if (n > ROW_WIDTH_MAX) {
            return fault_set(job->why, "row-size", 0,
                             "a row of \"%.*s\" takes %zu bytes, at most %d fit",
                             STR_FMT(t->name), n, ROW_WIDTH_MAX);
        }
    }
    return RC_OK;
}

enum rc emit_item(struct emit *e, struct emit_job *job)
{
    size_t from = job->rows->n;
    struct val map = {.kind = VAL_M, .n = job->item->n, .u.members = job->item->members};
    job->stage = NULL;
    job->spec = NULL;
    job->note = NOTE_NONE;
    enum rc rc = run_shape(e, e->entities[job->entity], job, &map, NULL);
    return rc == RC_OK && e->bursts ? check_widths(&e->plan->schema, job, from) : rc;
}
