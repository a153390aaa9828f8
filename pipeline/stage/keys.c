/* SPDX-License-Identifier: MIT */
/*
 * Splits overloaded keys into named parts. Parts are bound before the other stages run, so
 * that these can use them like attributes; a part of a numeric type is a number.
 */
#include "pipeline/stage/keys.h"

#include "pipeline/item/decimal.h"
#include "pipeline/stage/stage.h"

static struct val *part_value(enum col_type type, struct str text, uint32_t plain,
                              struct arena *a)
{
    struct val *v = arena_alloc(a, sizeof *v);
    if (!v)
        return NULL;
    *v = (struct val){.kind = VAL_S, .n = plain, .u.s = text};
    if (type != COL_BIGINT && type != COL_INTEGER && type != COL_NUMERIC)
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
    if (v->kind != VAL_S) {
        return fault_set(
            f->why, "key-template", 0, "\"%.*s\" is of type %s, its template \"%.*s\" needs S",
            STR_FMT(key->attribute), val_kind_name(v->kind), STR_FMT(key->tpl->text));
    }
    return fault_set(f->why, "key-template", 0,
                     "\"%.*s\" is \"%.*s\", which does not match \"%.*s\"",
                     STR_FMT(key->attribute), (int)(v->u.s.n > 80 ? 80 : v->u.s.n), v->u.s.p,
                     STR_FMT(key->tpl->text));
}

enum rc key_apply(const struct key_match *key, struct frame *f)
{
    const struct val *v = f->slots[key->slot];
    struct str parts[TPL_PARTS];
    if (!v || v->kind == VAL_NULL)
        return RC_OK;
    if (v->kind != VAL_S || !tpl_match(key->tpl, v->u.s, parts))
        return mismatch(key, v, f);
    uint32_t part = 0;
    for (uint32_t i = 0; i < key->tpl->n; i++) {
        const struct tpl_piece *piece = &key->tpl->pieces[i];
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

static enum rc keys_op(const struct op *op, struct frame *f)
{
    return key_apply(op->data, f);
}

static struct key_match *compile(struct scope *s, const struct key_spec *spec)
{
    struct path path = path_one(s->planner, spec->attribute);
    struct binding *b = path.n ? scope_attribute(s, &path, spec->place) : NULL;
    struct key_match *key = plan_array(s->planner, 1, sizeof *key);
    if (!b || !key)
        return NULL;
    *key = (struct key_match){.slot = b->slot, .attribute = spec->attribute, .tpl = &spec->tpl};
    key->parts = plan_array(s->planner, spec->tpl.nparts, sizeof *key->parts);
    if (!key->parts)
        return NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < spec->tpl.n; i++) {
        const struct tpl_piece *piece = &spec->tpl.pieces[i];
        if (piece->literal)
            continue;
        struct path name = path_one(s->planner, piece->text);
        key->parts[n++] = scope_bind_new(s, &name, true, piece->type);
    }
    return key;
}

void keys_plan(struct scope *s, const struct keys_spec *keys)
{
    struct key_match *v = plan_array(s->planner, keys->n, sizeof *v);
    if (!v)
        return;
    s->shape->keys = v;
    for (uint32_t i = 0; i < keys->n; i++) {
        struct key_match *key = compile(s, &keys->v[i]);
        if (key)
            v[s->shape->nkeys++] = *key;
    }
}

void stage_keys_plan(struct scope *s, const struct stage_spec *spec)
{
    for (uint32_t i = 0; i < spec->u.keys.n; i++) {
        struct key_match *key = compile(s, &spec->u.keys.v[i]);
        if (key)
            scope_add_op(s, &(struct op){"keys", keys_op, key, NOTE_NONE, s->stage});
    }
}
