/* SPDX-License-Identifier: MIT */
/*
 * Printing: each part's text is built in the output itself, and its functions rewrite it there
 * from the part's start on. Letters beyond ASCII have no case.
 */
#include <openssl/evp.h>

#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/timestamp.h"
#include "pipeline/model/template.h"
#include "pipeline/model/template_tail.h"

static const char REASON[] = "template";

struct printing {
    const struct template *t;
    struct buf *out;
    struct fault *why;
};

static struct str since(const struct buf *b, size_t start)
{
    return str_make(b->p + start, b->len - start);
}

static enum rc add_value(struct printing *p, const struct template_piece *piece,
                         const struct val *v)
{
    switch ((int)v->kind) {
    case VAL_S:
    case VAL_N:
        buf_add_str(p->out, v->u.s);
        return RC_OK;
    case VAL_BOOL:
        buf_puts(p->out, v->u.boolean ? "true" : "false");
        return RC_OK;
    case VAL_B:
        if (p->t->n == 1 && piece->nfuncs == 0 && piece->type == COL_TEXT) {
            buf_add_str(p->out, v->u.s);
            return RC_OK;
        }
        break;
    default:
        break;
    }
    return fault_set(p->why, REASON, 0, "{%.*s} is of type %s, which has no text",
                     STR_FMT(piece->text), value_kind_name(v->kind));
}

static void change_case(struct buf *b, size_t start, char from, char to)
{
    for (size_t i = start; i < b->len; i++) {
        if (b->p[i] >= from && b->p[i] <= from + 25)
            b->p[i] = (char)(b->p[i] - from + to);
    }
}

/* Pads with zeros, behind a minus; a longer text stays as it is. */
static void pad(struct buf *b, size_t start, size_t width)
{
    size_t have = b->len - start;
    if (have >= width || !buf_room(b, width - have))
        return;
    if (have && b->p[start] == '-') {
        start++;
        have--;
        width--;
    }
    memmove(b->p + start + width - have, b->p + start, have);
    memset(b->p + start, '0', width - have);
    b->len = start + width;
}

static void trim(struct buf *b, size_t start)
{
    static const char BLANK[] = " \t\r\n";
    while (b->len > start && strchr(BLANK, b->p[b->len - 1]) && b->p[b->len - 1])
        b->len--;
    size_t skip = start;
    while (skip < b->len && strchr(BLANK, b->p[skip]) && b->p[skip])
        skip++;
    memmove(b->p + start, b->p + skip, b->len - skip);
    b->len -= skip - start;
}

static void sha256(struct buf *b, size_t start)
{
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    struct str s = since(b, start);
    if (!EVP_Digest(s.p, s.n, sum, &n, EVP_sha256(), NULL)) {
        b->rc = RC_NOMEM;
        return;
    }
    b->len = start;
    for (unsigned i = 0; i < n; i++)
        buf_addf(b, "%02x", sum[i]);
}

/* Counts the days of what the buffer holds: a date, a timestamp, or a number with a unit. */
static bool days_of(struct str s, uint32_t unit, int64_t *days)
{
    static const int64_t PER_DAY[] = {
        [UNIT_S] = 86400, [UNIT_MS] = INT64_C(86400000), [UNIT_US] = INT64_C(86400000000)};
    static const int64_t FIRST = -719162, LAST = 2932896; /* years 1 to 9999 */
    int64_t v = 0;
    bool cut = false;
    if (unit == UNIT_NONE) {
        if (timestamp_parse_date(s, days))
            return true;
        v = 0;
        if (!timestamp_parse_stamp(s, &v, &cut))
            return false;
        unit = UNIT_US;
    } else if (!decimal_int64(s, &v)) {
        return false;
    }
    *days = v / PER_DAY[unit] - (v % PER_DAY[unit] < 0);
    return *days >= FIRST && *days <= LAST;
}

static enum rc date(struct printing *p, const struct template_piece *piece, uint32_t unit,
                    size_t start)
{
    int64_t days = 0;
    struct str s = since(p->out, start);
    if (!days_of(s, unit, &days)) {
        return fault_set(p->why, REASON, 0, "{%.*s}: \"%.*s\" is no %s", STR_FMT(piece->text),
                         (int)(s.n > 60 ? 60 : s.n), s.p,
                         unit == UNIT_NONE ? "date or timestamp" : "whole number of time");
    }
    p->out->len = start;
    timestamp_add_date(p->out, days);
    return RC_OK;
}

static enum rc apply(struct printing *p, const struct template_piece *piece,
                     const struct template_func *f, size_t start)
{
    switch (f->kind) {
    case TPL_LOWER:
        change_case(p->out, start, 'A', 'a');
        break;
    case TPL_UPPER:
        change_case(p->out, start, 'a', 'A');
        break;
    case TPL_PAD:
        pad(p->out, start, f->arg);
        break;
    case TPL_DATE:
        return date(p, piece, f->arg, start);
    case TPL_SHA256:
        sha256(p->out, start);
        break;
    case TPL_TRIM:
        trim(p->out, start);
        break;
    }
    return RC_OK;
}

/* Tells whether printing failed. If the text grew too long, the item is at fault. */
static enum rc state(struct printing *p)
{
    if (!p->out->rc || !p->out->full)
        return p->out->rc;
    return fault_set(p->why, REASON, 0, "\"%.*s\" makes a text of more than %zu bytes",
                     STR_FMT(p->t->text), p->out->max);
}

static enum rc print_part(struct printing *p, const struct template_piece *piece,
                          const struct val *v)
{
    size_t start = p->out->len;
    enum rc rc = add_value(p, piece, v);
    if (!rc && piece->pad)
        pad(p->out, start, piece->pad);
    if (!rc)
        rc = state(p);
    if (!rc && !column_type_spells(piece->type, piece->pad, since(p->out, start))) {
        struct str s = since(p->out, start);
        rc = fault_set(p->why, REASON, 0, "{%.*s}: \"%.*s\" is no %s as it prints",
                       STR_FMT(piece->text), (int)(s.n > 60 ? 60 : s.n), s.p,
                       column_type_name(piece->type));
    }
    for (uint32_t i = 0; !rc && i < piece->nfuncs; i++) {
        rc = apply(p, piece, &piece->funcs[i], start);
        if (!rc)
            rc = state(p);
    }
    return rc;
}

enum rc template_print(const struct template *t, tpl_get *get, void *ctx, struct buf *out,
                       struct fault *why)
{
    struct printing p = {t, out, why};
    size_t before_literal = out->len;
    for (uint32_t i = 0; i < t->n; i++) {
        const struct template_piece *piece = &t->pieces[i];
        if (piece->literal) {
            before_literal = out->len;
            buf_add_str(out, piece->text);
            continue;
        }
        const struct val *v = get(ctx, i);
        if (!v || v->kind == VAL_MISSING || v->kind == VAL_NULL) {
            if (!piece->optional)
                return RC_NONE;
            if (template_tail(t, i) < i)
                out->len = before_literal;
            break;
        }
        enum rc rc = print_part(&p, piece, v);
        if (rc)
            return rc;
    }
    return state(&p);
}
