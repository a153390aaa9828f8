/* SPDX-License-Identifier: MIT */
/*
 * Runs a shape over members: slots, key parts, stages, cells, rest, children. An exploded
 * element is treated like an item, with its parent's key cells copied in front.
 */
#include "pipeline/transform/make_rows.h"

#include <stdlib.h>

#include "pipeline/item/canon.h"
#include "pipeline/row/row_width.h"
#include "pipeline/transform/left_out.h"
#include "pipeline/transform/rest.h"

/* The worker's own state of a shape: the names it has seen. */
struct known {
    const struct shape *shape;
    struct slots_level *level;
    bool alters;         /* it takes members out of the maps it is given, or masks them */
    struct known **kids; /* one per explode */
};

struct make_rows {
    const struct plan *plan;
    struct known **entities;
    struct str mask_key;
    int64_t now_us;
    struct note_examples *examples; /* NULL: nobody asks */
    bool bursts;                    /* some table's rows may be too wide */
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
    slots_free(k->level);
    free(k);
}

/* Does the shape drop a member of a map inside the item? Then filling the slots takes it out of
   that map. */
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
    k->level = slots_new(plan, shape);
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

struct make_rows *make_rows_new(const struct plan *plan, const struct transform_options *opts)
{
    struct make_rows *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    *e = (struct make_rows){.plan = plan,
                            .mask_key = opts->mask_key,
                            .now_us = opts->now_us,
                            .examples = opts->examples};
    buf_init(&e->text, BUF_NO_LIMIT);
    for (uint32_t i = 0; i < plan->schema.ntables; i++)
        e->bursts |= plan->schema.tables[i].bursts;
    uint32_t n = plan->model->nentities;
    e->entities = calloc(n + 1, sizeof(struct known *));
    bool ok = e->entities != NULL;
    for (uint32_t i = 0; ok && i < n; i++) {
        e->entities[i] = plan->shapes[i] ? known_new(plan, plan->shapes[i]) : NULL;
        ok = e->entities[i] || !plan->shapes[i];
    }
    if (ok)
        return e;
    make_rows_free(e);
    return NULL;
}

void make_rows_free(struct make_rows *e)
{
    if (!e)
        return;
    for (uint32_t i = 0; e->entities && i < e->plan->model->nentities; i++)
        known_free(e->entities[i]);
    free(e->entities);
    buf_release(&e->text);
    free(e);
}

/* In a row of a symmetric link the smaller side comes first; `order` tells whether the two were
   swapped. */
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

static enum rc run_shape(struct make_rows *e, struct known *k, struct make_rows_job *job,
                         const struct val *map, const struct up *up);

/* Gives an element as the members that its shape sees. A map lends its own, unless the shape
   changes them: another explode may read the same elements. */
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
        if (!value_copy(element, a, &own))
            return RC_NOMEM;
        element = &own;
    }
    uint32_t at = 0;
    if (x->mode == EXPLODE_MAP)
        m[at++] = (struct member){x->key, {.kind = VAL_S, .u.s = key}};
    if (map && n) {
        memcpy(m + at, element->u.members, n * sizeof *m);
    } else if (!map) {
        m[at] = (struct member){x->value, *element};
    }
    *out = (struct val){.kind = VAL_M, .n = at + n, .u.members = m};
    return RC_OK;
}

static bool has_member(const struct val *map, struct str name)
{
    for (uint32_t i = 0; i < map->n; i++) {
        if (str_eq(map->u.members[i].name, name))
            return true;
    }
    return false;
}

/* A map, taken for a list of one, would make one row with nothing in it. */
static enum rc no_pairs(const struct explode *x, struct make_rows_job *job)
{
    return fault_set(
        job->why, "explode-kind", 0,
        "\"%.*s\" is of type M, lists of \"key\" and others are exploded: the model "
        "names no column for the keys of a map",
        STR_FMT(x->name));
}

static enum rc explode_one(struct make_rows *e, struct known *k, const struct explode *x,
                           struct make_rows_job *job, struct up *up)
{
    const struct val *v = NULL;
    for (uint32_t i = 0; i < x->from.n && !v; i++)
        v = up->slots[x->from.slots[i]];
    if (!v || v->kind == VAL_NULL)
        return RC_OK;
    if (v->kind == VAL_M && x->pairs && !has_member(v, STR("key")))
        return no_pairs(x, job);
    bool is_map = v->kind == VAL_M && x->mode == EXPLODE_MAP;
    bool is_list = v->kind == VAL_L || v->kind >= VAL_SS;
    if (x->mode == EXPLODE_MAP && !is_map) {
        return fault_set(job->why, "explode-kind", 0,
                         "\"%.*s\" is of type %s, a map is exploded", STR_FMT(x->name),
                         value_kind_name(v->kind));
    }
    uint32_t n = is_map || is_list ? v->n : 1; /* a scalar counts as a list of one */
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < n; i++) {
        const struct val *element = is_map ? &v->u.members[i].val : is_list ? &v->u.list[i] : v;
        struct str key = is_map ? v->u.members[i].name : (struct str){0};
        struct val members;
        rc = element_members(x, k->alters, key, element, job->arena, &members);
        up->ordinal = i;
        if (!rc)
            rc = run_shape(e, k, job, &members, up);
    }
    return rc;
}

/* Sets job->fate if an op filters what it looks at. */
static enum rc run_ops(struct frame *f, struct make_rows_job *job)
{
    const struct shape *s = f->shape;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < s->nops; i++) {
        const struct op *op = &s->ops[i];
        if (op->apply)
            rc = op->apply(op, f);
        bool kept = !rc && (!op->keeps || op->keeps(op, f));
        if (kept)
            continue;
        job->stage = op->name;
        job->spec = op->spec;
        job->note = op->note;
        if (!rc) {
            job->fate = ITEM_FILTERED;
            break;
        }
    }
    return rc;
}

/* Counts the stages that have met an attribute they name. */
static void count_stages(const struct frame *f, uint64_t *stages)
{
    const struct shape *s = f->shape;
    for (uint32_t i = 0; stages && i < s->nwatches; i++) {
        const struct watch *w = &s->watches[i];
        for (uint32_t k = 0; k < w->n; k++) {
            if (f->slots[w->slots[k]]) {
                stages[w->id]++;
                break;
            }
        }
    }
}

static void begin_job(struct make_rows_job *job)
{
    job->fate = ITEM_ROUTED;
    job->stage = NULL;
    job->spec = NULL;
    job->note = NOTE_NONE;
}

/* An op filtered an element: it alone is left out, its item stays. */
static void leave_out(struct make_rows_job *job, size_t start)
{
    job->rows->n = start;
    notes_add(job->notes, job->note, 1);
    begin_job(job);
}

static void put_parent(const struct shape *s, const struct make_rows_job *job,
                       const struct up *up, struct row *row)
{
    if (!up)
        return;
    const struct row *parent = &job->rows->v[up->row];
    for (uint32_t i = 0; i < s->parent_key; i++)
        row->cells[i] = parent->cells[s->inherited[i]];
    if (s->ordinal != SLOT_NONE) {
        row->cells[s->ordinal] =
            (struct datum){.state = DATUM_VALUE, .kind = VAL_N, .u.i = up->ordinal};
    }
}

static enum rc add_row(struct make_rows *e, struct frame *f, const struct rest_list *rest,
                       const struct make_rows_job *job, const struct up *up)
{
    const struct shape *s = f->shape;
    struct row *row = cells_new_row(job->rows, job->arena, f->schema, s->table);
    if (!row)
        return RC_NOMEM;
    row->source_key = job->source_key;
    put_parent(s, job, up, row);
    enum rc rc = cells_cast(&s->fills, &f->schema->tables[s->table], f, row->cells);
    if (!rc)
        rc = rest_put(&e->text, rest, f, row->cells);
    row->extra = f->extra;
    row->nextra = f->nextra;
    if (!rc && s->merge != UINT32_MAX)
        row->extract = s->merge;
    if (!rc)
        mirror(f, row);
    return rc;
}

static enum rc run_shape(struct make_rows *e, struct known *k, struct make_rows_job *job,
                         const struct val *map, const struct up *up)
{
    const struct shape *s = k->shape;
    size_t start = job->rows->n;
    struct rest_list rest = {0};
    struct frame f = {.shape = s,
                      .schema = &e->plan->schema,
                      .slots = arena_array(job->arena, s->nslots, sizeof(struct val *)),
                      .arena = job->arena,
                      .decoder = job->decoder,
                      .why = job->why,
                      .notes = job->notes,
                      .out = job->rows,
                      .source_key = job->source_key,
                      .mask_key = e->mask_key,
                      .now_us = e->now_us};
    bool marks = s->extract_only || s->may_lose;
    f.taken = marks ? arena_array(job->arena, 2 * (size_t)s->nslots, sizeof *f.taken) : NULL;
    f.lost = f.taken ? f.taken + s->nslots : NULL;
    if (!f.slots || (marks && !f.taken))
        return RC_NOMEM;
    for (uint32_t i = 0; up && i < s->nimports; i++)
        f.slots[s->imports[i].to] = up->slots[s->imports[i].from];
    enum rc rc = slots_members(k->level, map->u.members, map->n, &f, &rest);
    if (!rc)
        rc = run_ops(&f, job);
    count_stages(&f, job->stages);
    size_t row = job->rows->n;
    if (!rc && job->fate == ITEM_FILTERED) {
        if (up)
            leave_out(job, start);
        return RC_OK;
    }
    if (s->formed)
        rest_leave_out(&rest, &f);
    if (!rc)
        rc = add_row(e, &f, &rest, job, up);
    struct up below = {f.slots, row, 0};
    for (uint32_t i = 0; !rc && i < s->nexplodes; i++)
        rc = explode_one(e, k->kids[i], &s->explodes[i], job, &below);
    return rc;
}

/* Refuses rows that are wider than a database takes. Only tables whose rows can be that wide
   are looked at, and most models have none. */
static enum rc check_widths(const struct schema *s, const struct make_rows_job *job,
                            size_t from)
{
    for (size_t i = from; i < job->rows->n; i++) {
        const struct row *row = &job->rows->v[i];
        const struct table *t = &s->tables[row->table];
        size_t n = t->bursts ? row_width_of(t, row->cells) : 0;
        if (n > ROW_WIDTH_MAX) {
            return fault_set(job->why, "row-size", 0,
                             "a row of \"%.*s\" takes %zu bytes, at most %d fit",
                             STR_FMT(t->name), n, ROW_WIDTH_MAX);
        }
    }
    return RC_OK;
}

/* Counts index attributes that were left out, and looks for what they say in the item's rows. */
static enum rc count_left_out(struct make_rows *e, const struct shape *s,
                              struct make_rows_job *job, size_t from)
{
    notes_add(job->notes, s->note_indexed, job->notes->left.n);
    if (s->note_unsaid == NOTE_NONE)
        return RC_OK;
    struct left_out_rows rows = {&e->plan->schema, job->rows->v + from, job->rows->n - from};
    return left_out_tell(&rows, job->notes, s->note_unsaid, e->examples, &e->text);
}

enum rc make_rows_item(struct make_rows *e, struct make_rows_job *job)
{
    size_t from = job->rows->n;
    struct val map = {.kind = VAL_M, .n = job->item->n, .u.members = job->item->members};
    begin_job(job);
    job->notes->left.n = 0;
    struct known *k = e->entities[job->entity];
    enum rc rc = run_shape(e, k, job, &map, NULL);
    if (!rc && job->notes->left.n && job->fate == ITEM_ROUTED)
        rc = count_left_out(e, k->shape, job, from);
    if (!rc && e->bursts)
        rc = check_widths(&e->plan->schema, job, from);
    if (rc != RC_DATA)
        return rc;
    job->fate = ITEM_REJECTED;
    return RC_OK;
}
