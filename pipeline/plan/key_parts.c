/* SPDX-License-Identifier: MIT */
/*
 * Splits overloaded keys into named parts. The stages and columns that follow can use the parts
 * like attributes; a part of a numeric type is a number.
 */
#include "pipeline/plan/key_parts.h"

#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"

static struct val *part_value(enum col_type type, struct str text, uint32_t plain,
                              struct arena *a)
{
    struct val *v = arena_alloc(a, sizeof *v);
    if (!v)
        return NULL;
    *v = (struct val){.kind = VAL_S, .n = plain, .u.s = text};
    if (!column_type_has(type, COLUMN_NUMBER))
        return v;
    char digits[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    if (decimal_canon(text, digits, &n, &same) != DECIMAL_OK)
        return v;
    v->kind = VAL_N;
    v->n = 0;
    if (!same)
        v->u.s = arena_dup(a, str_make(digits, n));
    return v->u.s.p ? v : NULL;
}

static enum rc mismatch(const struct key_match *key, const struct val *v, struct frame *f)
{
    f->why->column = key->attribute;
    if (v->kind != VAL_S) {
        return fault_set(
            f->why, "key-template", 0, "\"%.*s\" is of type %s, its template \"%.*s\" needs S",
            STR_FMT(key->attribute), value_kind_name(v->kind), STR_FMT(key->tpl->text));
    }
    return fault_set(f->why, "key-template", 0,
                     "\"%.*s\" is \"%.*s\", which does not match \"%.*s\"",
                     STR_FMT(key->attribute), (int)(v->u.s.n > 80 ? 80 : v->u.s.n), v->u.s.p,
                     STR_FMT(key->tpl->text));
}

enum rc key_parts_apply(const struct key_match *key, struct frame *f)
{
    const struct val *v = f->slots[key->slot];
    struct str parts[TPL_PARTS];
    if (!v || v->kind == VAL_NULL)
        return RC_OK;
    if (v->kind != VAL_S || !template_match(key->tpl, v->u.s, parts))
        return mismatch(key, v, f);
    uint32_t part = 0;
    for (uint32_t i = 0; i < key->tpl->n; i++) {
        const struct template_piece *piece = &key->tpl->pieces[i];
        if (piece->literal)
            continue;
        uint32_t slot = key->parts[part];
        struct str text = parts[part++];
        f->slots[slot] = text.p ? part_value(piece->type, text, v->n, f->arena) : NULL;
        if (text.p && !f->slots[slot])
            return RC_NOMEM;
    }
    return RC_OK;
}

static enum rc apply(const struct op *op, struct frame *f)
{
    return key_parts_apply(op->data, f);
}

static struct templated *note_templated(struct scope *s, const struct key_spec *spec,
                                        struct name_node *node)
{
    struct templated *t = plan_array(s->planner, 1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct templated){
        .node = node,
        .attribute = spec->attribute,
        .place = spec->place,
        .parts = plan_array(s->planner, spec->tpl.nparts, sizeof(struct binding *)),
        .next = s->templated};
    s->templated = t;
    return t->parts ? t : NULL;
}

static struct key_match *compile(struct scope *s, const struct key_spec *spec)
{
    struct path path = scope_path_one(s->planner, spec->attribute);
    struct binding *b = path.n ? scope_attribute(s, &path, spec->place) : NULL;
    struct key_match *key = plan_array(s->planner, 1, sizeof *key);
    if (!b || !key)
        return NULL;
    *key = (struct key_match){.slot = b->slot, .attribute = spec->attribute, .tpl = &spec->tpl};
    key->parts = plan_array(s->planner, spec->tpl.nparts, sizeof *key->parts);
    if (!key->parts)
        return NULL;
    struct templated *t = note_templated(s, spec, b->node);
    uint32_t n = 0;
    for (uint32_t i = 0; t && i < spec->tpl.n; i++) {
        const struct template_piece *piece = &spec->tpl.pieces[i];
        if (piece->literal)
            continue;
        struct path name = scope_path_one(s->planner, piece->text);
        key->parts[n++] = scope_bind_new(s, &name, true, piece->type);
        t->parts[t->n++] = s->bindings; /* the newest */
    }
    return t ? key : NULL;
}

void key_parts_plan(struct scope *s, const struct key_spec *spec)
{
    struct key_match *key = compile(s, spec);
    if (key)
        scope_add_op(s, &(struct op){.apply = apply, .data = key, .note = NOTE_NONE});
}

void key_parts_explain(const struct key_spec *key, const struct item *item, struct buf *out)
{
    const struct val *v = item_get(item, key->attribute);
    struct str parts[TPL_PARTS];
    buf_addf(out, "%.*s \"%.*s\"", STR_FMT(key->attribute), STR_FMT(key->tpl.text));
    if (!v || v->kind != VAL_S || !template_match(&key->tpl, v->u.s, parts)) {
        buf_puts(out, v ? " does not match" : " is not there");
        return;
    }
    uint32_t part = 0;
    for (uint32_t p = 0; p < key->tpl.n; p++) {
        if (key->tpl.pieces[p].literal)
            continue;
        struct str found = parts[part++];
        if (found.p) {
            buf_addf(out, "  %.*s=\"%.*s\"", STR_FMT(key->tpl.pieces[p].text), STR_FMT(found));
        } else {
            buf_addf(out, "  no %.*s", STR_FMT(key->tpl.pieces[p].text));
        }
    }
}
