/* SPDX-License-Identifier: MIT */
/*
 * Hides personal data: HMAC-SHA256 under the operator's key (a plain hash of an e-mail address
 * hides nothing), or blank. The value itself is overwritten, so that it is hidden wherever it
 * can be seen: in its column, in a document that holds its map, in the rest. A parent's value
 * is not the element's to overwrite: the elements after it read it too. There the element gets
 * a view of the parent in which it is hidden.
 */
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "pipeline/item/canon.h"
#include "pipeline/stage/stage.h"

enum mask_method { MASK_HMAC = 0, MASK_BLANK };

struct mask_spec {
    struct paths fields;
    enum mask_method method;
};

struct masked {
    struct sources what;
    enum mask_method method;
};

static void read_method(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice METHODS[] = {{"hmac", MASK_HMAC}, {"blank", MASK_BLANK}};
    int v = 0;
    if (read_choice(r, n, METHODS, NRULES(METHODS), &v))
        *(enum mask_method *)target = (enum mask_method)v;
}

static void read_spec(struct model_reader *r, struct model_node n, void *target)
{
    static const struct rule RULES[] = {
        {"fields", read_paths, offsetof(struct mask_spec, fields), true},
        {"method", read_method, offsetof(struct mask_spec, method), false}};
    read_object_or_first(r, n, RULES, NRULES(RULES), target);
}

static enum rc hmac_hex(struct str key, struct str data, struct arena *a, struct str *out)
{
    static const char HEX[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    char *p = arena_alloc(a, 65);
    if (!p || !HMAC(EVP_sha256(), key.p, (int)key.n, (const unsigned char *)data.p, data.n,
                    digest, &n))
        return RC_NOMEM;
    for (size_t i = 0; i < n && i < 32; i++) {
        p[2 * i] = HEX[digest[i] >> 4];
        p[2 * i + 1] = HEX[digest[i] & 15];
    }
    p[64] = '\0';
    *out = str_make(p, 64);
    return RC_OK;
}

static enum rc hash_value(const struct val *v, struct frame *f, struct str *out)
{
    if (v->kind == VAL_S || v->kind == VAL_N || v->kind == VAL_B)
        return hmac_hex(f->mask_key, v->u.s, f->arena, out);
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    canon_ddb(&text, v);
    enum rc rc = text.rc;
    if (!rc)
        rc = hmac_hex(f->mask_key, buf_view(&text), f->arena, out);
    buf_release(&text);
    return rc;
}

static enum rc masked_value(const struct masked *m, const struct val *v, struct frame *f,
                            struct val *out)
{
    struct str hash = {0};
    if (m->method == MASK_BLANK) {
        *out = v->kind == VAL_S ? (struct val){.kind = VAL_S, .u.s = STR("")}
                                : (struct val){.kind = VAL_NULL};
        return RC_OK;
    }
    enum rc rc = hash_value(v, f, &hash);
    *out = (struct val){.kind = VAL_S, .u.s = hash};
    return rc;
}

static bool is_import(const struct shape *s, uint32_t slot)
{
    for (uint32_t i = 0; i < s->nimports; i++) {
        if (s->imports[i].to == slot)
            return true;
    }
    return false;
}

/* Hides the value in all that the element reads of its parent. */
static enum rc hide_import(const struct val *old, const struct val *with, struct frame *f)
{
    for (uint32_t i = 0; i < f->shape->nimports; i++) {
        const struct val **slot = &f->slots[f->shape->imports[i].to];
        if (*slot && !(*slot = value_replace(*slot, old, with, f->arena)))
            return RC_NOMEM;
    }
    return RC_OK;
}

static enum rc mask_slot(const struct masked *m, uint32_t slot, struct frame *f)
{
    union {
        const struct val *in;
        struct val *out;
    } v = {.in = f->slots[slot]}; /* the worker owns the page's values, so it may write */
    if (!v.in || v.in->kind == VAL_NULL)
        return RC_OK;
    struct val *hidden = ARENA_NEW(f->arena, struct val);
    enum rc rc = hidden ? masked_value(m, v.in, f, hidden) : RC_NOMEM;
    if (rc)
        return rc;
    if (is_import(f->shape, slot))
        return hide_import(v.in, hidden, f);
    *v.out = *hidden;
    return RC_OK;
}

static enum rc apply(const struct op *op, struct frame *f)
{
    const struct masked *m = op->data;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < m->what.n; i++)
        rc = mask_slot(m, m->what.slots[i], f);
    return rc;
}

static void plan(struct scope *s, const struct stage_spec *stage)
{
    const struct mask_spec *spec = stage->spec;
    for (uint32_t i = 0; i < spec->fields.n; i++) {
        struct masked *m = plan_array(s->planner, 1, sizeof *m);
        if (!m)
            return;
        scope_mention(s, &spec->fields.v[i], stage->place);
        m->what = scope_find(s, &spec->fields.v[i], stage->place);
        scope_mask(s, &spec->fields.v[i]);
        m->method = spec->method;
        s->shape->masks = s->planner->masks = true;
        s->planner->mask_used |= m->method == MASK_HMAC;
        scope_add_op(s, &(struct op){.apply = apply, .data = m, .note = NOTE_NONE});
    }
}

static void explain(const void *spec, const struct stage_explain *x)
{
    const struct mask_spec *mask = spec;
    buf_puts(x->out, ": ");
    path_print_all(&mask->fields, x->out);
    buf_puts(x->out, mask->method == MASK_BLANK ? " blanked" : " hashed");
}

const struct stage stage_mask = {.name = "mask",
                                 .spec_size = sizeof(struct mask_spec),
                                 .read = read_spec,
                                 .plan = plan,
                                 .explain = explain};
