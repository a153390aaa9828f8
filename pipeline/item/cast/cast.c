/* SPDX-License-Identifier: MIT */
/*
 * Casts, one function for each column type: its row in the type table says which. What a function
 * does not take as its source is refused; what would lose something needs a rule the column names.
 */
#include "pipeline/item/cast/cast.h"

#include "pipeline/base/utf8.h"
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"

enum rc cast_misfit(struct casting *c, const char *hint)
{
    const char *want = column_type_name(c->cast->type), *kind = value_kind_name(c->v->kind);
    const char *join = hint ? "; " : "";
    hint = hint ? hint : "";
    switch (c->v->kind) {
    case VAL_S:
    case VAL_N: {
        struct str s = utf8_cut(c->v->u.s, 80);
        return fault_set(c->why, "cast", 0, "%s \"%.*s\"%s does not fit %s%s%s", kind,
                         STR_FMT(s), s.n < c->v->u.s.n ? "..." : "", want, join, hint);
    }
    case VAL_BOOL:
        return fault_set(c->why, "cast", 0, "%s %s does not fit %s%s%s", kind,
                         c->v->u.boolean ? "true" : "false", want, join, hint);
    case VAL_B:
        return fault_set(c->why, "cast", 0, "%s of %zu bytes does not fit %s%s%s", kind,
                         c->v->u.s.n, want, join, hint);
    case VAL_M:
    case VAL_L:
    case VAL_SS:
    case VAL_NS:
    case VAL_BS:
    case VAL_NULL:
    case VAL_MISSING:
        break;
    }
    return fault_set(c->why, "cast", 0, "%s of %u members does not fit %s%s%s", kind,
                     (unsigned)c->v->n, want, join, hint);
}

enum rc cast_lossy(struct casting *c, unsigned rule, const char *what)
{
    if (!(c->cast->lossy & rule))
        return cast_misfit(c, what);
    *c->used |= rule;
    return RC_OK;
}

enum rc cast_no_nul(struct casting *c, struct str text, struct str *out)
{
    *out = text;
    if (text.n == 0 || !memchr(text.p, '\0', text.n))
        return RC_OK;
    enum rc rc =
        cast_lossy(c, LOSSY_NUL, "it holds a NUL byte, which the lossy rule \"nul\" drops");
    if (rc)
        return rc;
    char *p = arena_alloc(c->arena, text.n);
    if (!p)
        return RC_NOMEM;
    *out = str_make(p, 0);
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i])
            p[out->n++] = text.p[i];
    }
    return RC_OK;
}

enum rc cast_text(struct casting *c)
{
    if (c->v->kind == VAL_BOOL) {
        c->out->u.text = c->v->u.boolean ? STR("true") : STR("false");
        return cast_lossy(c, LOSSY_TEXT, "the lossy rule \"text\" makes text of it");
    }
    if (c->v->kind != VAL_S && c->v->kind != VAL_N)
        return cast_misfit(c, NULL);
    if (c->v->kind == VAL_N) /* a rule that is there is counted, though a number needs none */
        *c->used |= c->cast->lossy & LOSSY_TEXT;
    return cast_no_nul(c, c->v->u.s, &c->out->u.text);
}

/* Letters of any case, since people write True and TRUE. */
static bool spells(struct str s, const char *word)
{
    size_t i = 0;
    for (; i < s.n && word[i]; i++) {
        if ((s.p[i] | 0x20) != word[i])
            return false;
    }
    return i == s.n && !word[i];
}

enum rc cast_boolean(struct casting *c)
{
    if (c->v->kind == VAL_BOOL) {
        c->out->u.boolean = c->v->u.boolean;
        return RC_OK;
    }
    if (c->v->kind != VAL_S)
        return cast_misfit(c, NULL);
    c->out->u.boolean = spells(c->v->u.s, "true");
    if (c->out->u.boolean || spells(c->v->u.s, "false"))
        return RC_OK;
    return cast_misfit(c, "only \"true\" and \"false\" do");
}

enum rc cast_bytea(struct casting *c)
{
    if (c->v->kind != VAL_B)
        return cast_misfit(c, NULL);
    c->out->u.text = c->v->u.s;
    return RC_OK;
}

static int hex(char ch)
{
    if (ch >= '0' && ch <= '9')
        return ch - '0';
    ch |= 0x20;
    return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

/* 8-4-4-4-12 hexadecimal digits of any case, or 32 of them without the dashes. */
static bool parse_uuid(struct str s, unsigned char out[16])
{
    bool dashes = s.n == 36;
    if (!dashes && s.n != 32)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (dashes && (i == 4 || i == 6 || i == 8 || i == 10) && s.p[at++] != '-')
            return false;
        int high = hex(s.p[at]), low = hex(s.p[at + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (unsigned char)(high << 4 | low);
        at += 2;
    }
    return true;
}

enum rc cast_uuid(struct casting *c)
{
    if (c->v->kind != VAL_S || !parse_uuid(c->v->u.s, c->out->u.uuid))
        return cast_misfit(c, NULL);
    return RC_OK;
}

/* A list of texts takes numbers and booleans by the rule that says so; else elements are cast as
   a cell of their type would be. */
static enum rc element_rule(struct casting *c, const struct val *e)
{
    bool texts = column_types[c->cast->type].array.element == COL_TEXT;
    if (!texts || e->kind != VAL_N || c->cast->lossy & LOSSY_TEXT)
        return RC_OK;
    return fault_set(c->why, "cast", 0,
                     "N does not fit %s; the lossy rule \"text\" makes text of it",
                     column_type_name(c->cast->type));
}

static enum rc cast_element(struct casting *c, const struct val *e, struct datum *to)
{
    struct cast one = *c->cast;
    unsigned used = 0;
    one.type = column_types[one.type].array.element;
    enum rc rc = element_rule(c, e);
    if (!rc)
        rc = cast_value(&one, e, c->arena, to, &used, c->why);
    *c->used |= used;
    return rc;
}

enum rc cast_array(struct casting *c)
{
    const struct column_array *of = &column_types[c->cast->type].array;
    const struct val *v = c->v;
    bool numbers =
        v->kind == VAL_NS &&
        ((of->element == COL_TEXT && c->cast->lossy & LOSSY_TEXT) ||
         (column_type_has(c->cast->type, COLUMN_UNIT) && c->cast->unit != UNIT_NONE));
    if (v->kind != of->set && v->kind != VAL_L && !numbers)
        return cast_misfit(c, NULL);
    struct datum *to = arena_array(c->arena, (size_t)v->n + 1, sizeof *to);
    if (!to)
        return RC_NOMEM;
    for (uint32_t i = 0; i < v->n; i++) {
        enum rc rc = cast_element(c, &v->u.list[i], &to[i]);
        if (rc == RC_DATA) {
            struct fault inner = *c->why;
            (void)fault_set(c->why, inner.reason, 0, "element %u: %s", (unsigned)i,
                            inner.detail);
        }
        if (rc)
            return rc;
    }
    c->out->n = v->n;
    c->out->u.array = to;
    return RC_OK;
}

enum rc cast_value(const struct cast *cast, const struct val *v, struct arena *a,
                   struct datum *out, unsigned *used, struct fault *why)
{
    *used = 0;
    out->n = 0;
    out->kind = (uint8_t)v->kind;
    out->state = v->kind == VAL_MISSING ? DATUM_MISSING
                 : v->kind == VAL_NULL  ? DATUM_NULL
                                        : DATUM_VALUE;
    if (out->state != DATUM_VALUE)
        return RC_OK;
    struct casting c = {cast, v, a, out, used, why};
    return column_types[cast->type].cast(&c);
}
