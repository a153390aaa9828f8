/* SPDX-License-Identifier: MIT */
/*
 * Splits overloaded keys into named parts. The stages and columns that follow can use the parts
 * like attributes; a part of a numeric type is a number. A form is a set of templates that an item
 * has together: its parts are there, those of the other forms are not.
 */
#include "pipeline/plan/key_parts.h"

#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"
#include "pipeline/model/key_forms.h"

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
    if (key->matched != SLOT_NONE)
        f->slots[key->matched] = v;
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

/* Keys with several forms, and their matches side by side. */
struct forms {
    const struct keys_spec *keys;
    struct key_match *v;
};

/* The values of the attributes with templates, while a form is looked for. */
struct form_values {
    const struct key_match *v;
    const struct frame *f;
};

static const struct val *slot_value(void *ctx, uint32_t key)
{
    const struct form_values *x = ctx;
    return x->f->slots[x->v[key].slot];
}

enum rc key_parts_refuse(const struct keys_spec *keys, const struct key_match *v,
                         struct frame *f)
{
    struct form_values x = {v, f};
    struct buf text;
    uint32_t first = keys->n;
    buf_init(&text, BUF_NO_LIMIT);
    for (uint32_t form = 0; form < keys->nforms; form++) {
        uint32_t bad = key_forms_fault(keys, form, slot_value, &x);
        const struct val *is = bad < keys->n ? f->slots[v[bad].slot] : NULL;
        if (!is)
            continue;
        first = first == keys->n ? bad : first;
        buf_addf(&text, "%s\"%.*s\" is ", text.len ? "; " : "", STR_FMT(v[bad].attribute));
        if (is->kind == VAL_S) {
            buf_addf(&text, "\"%.*s\"", (int)(is->u.s.n > 40 ? 40 : is->u.s.n), is->u.s.p);
        } else {
            buf_addf(&text, "of type %s", value_kind_name(is->kind));
        }
        buf_addf(&text, ", not \"%.*s\"", STR_FMT(v[bad].tpl->text));
    }
    f->why->column = first < keys->n ? v[first].attribute : (struct str){0};
    enum rc rc = RC_NOMEM;
    if (!text.rc) {
        rc =
            fault_set(f->why, "key-template", 0, "none of the %u forms of the keys matches: %s",
                      keys->nforms, buf_cstr(&text));
    }
    buf_release(&text);
    return rc;
}

static enum rc apply_one(const struct op *op, struct frame *f)
{
    return key_parts_apply(op->data, f);
}

static enum rc apply_forms(const struct op *op, struct frame *f)
{
    const struct forms *forms = op->data;
    struct form_values x = {forms->v, f};
    uint32_t form = key_forms_choose(forms->keys, slot_value, &x, NULL);
    if (form == KEY_FORM_NONE)
        return key_parts_refuse(forms->keys, forms->v, f);
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < forms->keys->n; i++) {
        if (forms->keys->v[i].form == form)
            rc = key_parts_apply(&forms->v[i], f);
    }
    return rc;
}

static struct templated *note_templated(struct scope *s, const struct keys_spec *keys,
                                        const struct key_spec *spec, struct name_node *node)
{
    struct templated *t = plan_array(s->planner, 1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct templated){
        .node = node,
        .attribute = spec->attribute,
        .place = spec->place,
        .parts = plan_array(s->planner, spec->tpl.nparts, sizeof(struct binding *)),
        .keys = keys,
        .form = spec->form,
        .matched = keys->nforms > 1 ? s->shape->nslots++ : SLOT_NONE,
        .next = s->templated};
    s->templated = t;
    return t->parts ? t : NULL;
}

static bool compile(struct scope *s, const struct keys_spec *keys, uint32_t at,
                    struct key_match *key)
{
    const struct key_spec *spec = &keys->v[at];
    struct path path = scope_path_one(s->planner, spec->attribute);
    struct binding *b = path.n ? scope_attribute(s, &path, spec->place) : NULL;
    struct templated *t = b ? note_templated(s, keys, spec, b->node) : NULL;
    if (!t)
        return false;
    *key = (struct key_match){.slot = b->slot,
                              .attribute = spec->attribute,
                              .tpl = &spec->tpl,
                              .matched = t->matched};
    key->parts = plan_array(s->planner, spec->tpl.nparts, sizeof *key->parts);
    for (uint32_t i = 0; key->parts && i < spec->tpl.n; i++) {
        const struct template_piece *piece = &spec->tpl.pieces[i];
        if (piece->literal)
            continue;
        struct path name = scope_path_one(s->planner, piece->text);
        key->parts[t->n] = scope_bind_new(s, &name, true, piece->type);
        t->parts[t->n++] = s->bindings; /* the newest */
    }
    return key->parts != NULL;
}

void key_parts_plan(struct scope *s, const struct keys_spec *keys)
{
    struct forms *forms = plan_array(s->planner, 1, sizeof *forms);
    struct key_match *v = plan_array(s->planner, keys->n, sizeof *v);
    bool several = keys->nforms > 1;
    if (!forms || !v)
        return;
    *forms = (struct forms){keys, v};
    for (uint32_t i = 0; i < keys->n; i++) {
        bool ok = compile(s, keys, i, &v[i]);
        if (ok && !several)
            scope_add_op(s, &(struct op){.apply = apply_one, .data = &v[i], .note = NOTE_NONE});
        if (!ok)
            return;
    }
    if (several)
        scope_add_op(s, &(struct op){.apply = apply_forms, .data = forms, .note = NOTE_NONE});
}

/* ---- explain ---- */

static void explain_one(const struct key_spec *key, const struct item *item, struct buf *out)
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

void key_parts_explain(const struct keys_spec *keys, const struct item *item,
                       const char *before, const char *after, struct buf *out)
{
    struct key_forms_item x = {keys, item};
    uint32_t form = keys->nforms > 1 ? key_forms_choose(keys, key_forms_value, &x, NULL) : 0;
    for (uint32_t i = 0; i < keys->n && keys->v[i].form <= form; i++) {
        bool chosen = keys->v[i].form == form;
        if (!chosen && i != key_forms_fault(keys, keys->v[i].form, key_forms_value, &x))
            continue;
        buf_puts(out, before);
        if (keys->nforms > 1)
            buf_addf(out, "form %u: ", keys->v[i].form + 1);
        explain_one(&keys->v[i], item, out);
        buf_puts(out, after);
    }
}
