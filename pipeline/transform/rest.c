/* SPDX-License-Identifier: MIT */
/* Names stay with their values, also where a stage has changed them or taken some away. */
#include "pipeline/transform/rest.h"

#include "pipeline/item/canon.h"

static bool explains(const struct explanation *x, const struct frame *f)
{
    bool holds = x->matched == SLOT_NONE || f->slots[x->matched];
    for (uint32_t i = 0; holds && i < x->n; i++) {
        uint32_t part = x->extracted[i];
        holds = !f->slots[part] || (f->taken && f->taken[part]);
    }
    return holds;
}

static bool is_explained(const struct explanations *ways, const struct frame *f)
{
    bool holds = false;
    for (uint32_t i = 0; !holds && i < ways->n; i++)
        holds = explains(&ways->v[i], f);
    return holds;
}

static bool is_taken(const struct rest_entry *e, const struct frame *f)
{
    if (e->may_lose && f->lost[e->slot])
        return false;
    if (e->explained)
        return is_explained(e->explained, f);
    return e->extracted ? f->taken && f->taken[e->slot] : e->may_lose;
}

void rest_leave_out(struct rest_list *rest, struct frame *f)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rest->n; i++) {
        const struct rest_entry *e = &rest->v[i];
        if (!e->left_out || is_taken(e, f)) {
            rest->v[kept++] = *e;
        } else if (e->indexed) {
            left_outs_add(&f->notes->left, e->left_out);
        }
    }
    rest->n = kept;
}

static bool rest_empty(const struct rest_list *rest, const struct frame *f)
{
    for (uint32_t i = 0; i < rest->n; i++) {
        if (!is_taken(&rest->v[i], f))
            return false;
    }
    return true;
}

/* Makes a map of the rest. Values come from slots, because stages may have changed them. */
static enum rc rest_map(const struct rest_list *rest, const struct frame *f, struct val *out)
{
    struct member *m = arena_array(f->arena, rest->n, sizeof *m);
    uint32_t n = 0;
    enum rc rc = m ? RC_OK : RC_NOMEM;
    for (uint32_t i = 0; !rc && i < rest->n; i++) {
        const struct rest_entry *e = &rest->v[i];
        const struct val *changed = e->slot != SLOT_NONE ? f->slots[e->slot] : NULL;
        bool still_map = e->below && (!changed || changed->kind == VAL_M);
        if (is_taken(e, f) || (still_map && rest_empty(e->below, f)))
            continue;
        m[n].name = e->name;
        if (still_map) {
            rc = rest_map(e->below, f, &m[n].val);
        } else {
            m[n].val = changed ? *changed : *e->val;
        }
        n++;
    }
    *out = (struct val){.kind = VAL_M, .n = n, .u.members = m};
    return rc;
}

static enum rc rest_text(struct buf *b, const struct val *whole, struct frame *f, bool plain)
{
    buf_clear(b);
    if (plain) {
        uint64_t lossy = 0;
        canon_plain(b, whole, &lossy);
        if (lossy)
            notes_add(f->notes, f->shape->note_rest_lossy, lossy);
    } else {
        canon_ddb_members(b, whole->u.members, whole->n);
    }
    return b->rc;
}

/* Refuses NUL bytes. A file could hold them and a database cannot, but both shall get the same
   rows. */
static enum rc refuse_nul(const struct val *whole, const struct frame *f)
{
    uint32_t i = 0;
    struct member *m = whole->u.members;
    while (i + 1 < whole->n &&
           !value_has_nul(&(struct val){.kind = VAL_M, .n = 1, .u.members = &m[i]}))
        i++;
    return fault_set(f->why, "nul", 0, "\"%.*s\", which no column takes, holds a NUL byte",
                     STR_FMT(m[i].name));
}

static enum rc rest_without_nul(const struct val *whole, struct frame *f, struct datum *cell)
{
    unsigned used = 0;
    struct cast cast = {.type = COL_JSONB, .lossy = LOSSY_JSON | LOSSY_NUL};
    notes_add(f->notes, f->shape->note_rest_lossy, 1);
    return cast_value(&cast, whole, f->arena, cell, &used, f->why);
}

static enum rc rest_cell(struct buf *b, const struct rest_list *rest, struct frame *f,
                         struct datum *cell, bool plain)
{
    struct val whole;
    if (rest_map(rest, f, &whole))
        return RC_NOMEM;
    if (whole.n == 0)
        return RC_OK;
    if (!plain) {
        f->extra = whole.u.members;
        f->nextra = whole.n;
    }
    if (rest_text(b, &whole, f, plain))
        return RC_NOMEM;
    /* A NUL is printed as an escape, so a text without a backslash has none. */
    if (memchr(b->p, '\\', b->len) && value_has_nul(&whole)) {
        return plain && (f->shape->rest_lossy & LOSSY_NUL) ? rest_without_nul(&whole, f, cell)
                                                           : refuse_nul(&whole, f);
    }
    struct str text = arena_dup(f->arena, buf_view(b));
    *cell = (struct datum){.state = DATUM_VALUE, .kind = VAL_M, .u.text = text};
    return text.p ? RC_OK : RC_NOMEM;
}

static struct str first_left(const struct rest_list *rest, const struct frame *f)
{
    uint32_t i = 0;
    while (i + 1 < rest->n && is_taken(&rest->v[i], f))
        i++;
    return rest->v[i].name;
}

enum rc rest_put(struct buf *scratch, const struct rest_list *rest, struct frame *f,
                 struct datum *cells)
{
    const struct shape *s = f->shape;
    if (rest_empty(rest, f))
        return RC_OK;
    if (s->rest_column != SLOT_NONE)
        return rest_cell(scratch, rest, f, &cells[s->rest_column], true);
    if (s->rest == REST_REJECT) {
        f->why->column = first_left(rest, f);
        f->why->as_row = true; /* it quotes the name alone */
        return fault_set(f->why, "unknown-attribute", 0, "the model does not name \"%.*s\"",
                         STR_FMT(f->why->column));
    }
    if (s->rest == REST_EXTRA && s->extra_column != SLOT_NONE)
        return rest_cell(scratch, rest, f, &cells[s->extra_column], false);
    return RC_OK;
}
