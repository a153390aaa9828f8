/* SPDX-License-Identifier: MIT */
/*
 * Duplicated attributes become candidates for one row of their own table. Nothing is decided
 * here: the sink reduces all candidates of a key when the last segment is done.
 */
#include "pipeline/stage/columns.h"
#include "pipeline/stage/stage.h"

struct extracting {
    struct fills fills;
    struct sources by;
    uint32_t id; /* of the extract */
    uint32_t nkey;
    uint32_t *key; /* indexes into fills */
};

static bool key_complete(const struct extracting *e, const struct row *row)
{
    for (uint32_t i = 0; i < e->nkey; i++) {
        if (row->cells[e->fills.v[e->key[i]].column].state != DATUM_VALUE)
            return false;
    }
    return true;
}

/* It is stored with the candidate, but in no column whose cast would vet it. */
static enum rc set_order(const struct extracting *e, const struct frame *f, struct row *row)
{
    const struct val *v = e->by.n ? sources_get(&e->by, f) : NULL;
    if (!v || (v->kind != VAL_S && v->kind != VAL_N))
        return RC_OK;
    if (val_has_nul(v)) {
        return fault_set(f->why, "nul", 0, "what \"%.*s\" goes by holds a NUL byte",
                         STR_FMT(f->schema->tables[row->table].name));
    }
    row->order_type = v->kind == VAL_N ? COL_NUMERIC : COL_TEXT;
    row->order = (struct datum){.state = DATUM_VALUE, .u.text = v->u.s};
    return RC_OK;
}

static void take(const struct extracting *e, struct frame *f)
{
    for (uint32_t i = 0; f->taken && i < e->fills.n; i++) {
        for (uint32_t k = 0; k < e->fills.v[i].from.n; k++)
            f->taken[e->fills.v[i].from.slots[k]] = true;
    }
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct extracting *e = op->data;
    uint32_t into = f->schema->extracts[e->id].into;
    struct row *row = rows_add(f->out, f->arena, f->schema, into);
    if (!row)
        return RC_NOMEM;
    row->extract = e->id;
    row->source_key = f->source_key;
    enum rc rc = fills_cast(&e->fills, &f->schema->tables[into], f, row->cells);
    if (rc == RC_OK && !key_complete(e, row)) {
        f->out->n--; /* no key, no row: the attributes stay with the item */
    } else if (rc == RC_OK) {
        rc = set_order(e, f, row);
        take(e, f);
    }
    return rc;
}

static void find_key(struct scope *s, const struct extract_spec *spec, struct extracting *e)
{
    e->key = plan_array(s->planner, spec->key.n, sizeof *e->key);
    for (uint32_t k = 0; e->key && k < spec->key.n; k++) {
        for (uint32_t i = 0; i < spec->columns.n; i++) {
            if (str_eq(spec->columns.v[i].name, spec->key.v[k]))
                e->key[e->nkey++] = i;
        }
    }
}

void stage_extract_plan(struct scope *s, const struct stage_spec *stage)
{
    const struct extract_spec *spec = stage->u.extract;
    struct extracting *e = plan_array(s->planner, 1, sizeof *e);
    struct pending_extract *pending = plan_array(s->planner, 1, sizeof *pending);
    if (!e || !pending)
        return;
    e->fills.v = plan_array(s->planner, spec->columns.n, sizeof *e->fills.v);
    if (!e->fills.v)
        return;
    columns_mention(s, &spec->columns);
    for (uint32_t i = 0; i < spec->columns.n; i++) {
        column_fill(s, &spec->columns, i, spec->into, &e->fills.v[i]);
        e->fills.v[i].not_null = false;
        e->fills.n++;
    }
    find_key(s, spec, e);
    if (spec->by.n)
        e->by = scope_find(s, &spec->by, stage->place);
    *pending = (struct pending_extract){.spec = spec,
                                        .place = stage->place,
                                        .label = s->shape->label,
                                        .fills = &e->fills,
                                        .id = &e->id,
                                        .next = s->planner->pending};
    s->planner->pending = pending;
    if (s->nextracted == sizeof s->extracted / sizeof s->extracted[0]) {
        problems_add(s->planner->problems, stage->place, "too many extracts in one place");
    } else {
        s->extracted[s->nextracted++] = &e->fills;
    }
    scope_add_op(s, &(struct op){"extract", apply, e, NOTE_NONE, s->stage});
}
