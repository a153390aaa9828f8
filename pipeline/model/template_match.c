/* SPDX-License-Identifier: MIT */
/*
 * Matching: literals are compared, a part runs to the first sight of the literal behind it. A
 * typed part must be the one spelling its type prints, so that the match can be printed back
 * byte for byte; untyped parts and literals print back by construction.
 */
#include "pipeline/item/decimal.h"
#include "pipeline/item/times.h"
#include "pipeline/model/template.h"
#include "pipeline/model/template_type.h"

static bool prints_back(struct buf *b, struct str text)
{
    bool same = !b->rc && str_eq(buf_view(b), text);
    buf_release(b);
    return same;
}

static bool is_date(struct str text)
{
    int64_t days = 0;
    struct buf b;
    if (!times_parse_date(text, &days))
        return false;
    buf_init(&b, 64);
    times_add_date(&b, days);
    return prints_back(&b, text);
}

static bool is_stamp(struct str text)
{
    int64_t us = 0;
    bool cut = false;
    struct buf b;
    if (!times_parse_stamp(text, &us, &cut) || cut)
        return false;
    buf_init(&b, 64);
    times_add_stamp(&b, us);
    return prints_back(&b, text);
}

static bool is_uuid(struct str s)
{
    if (s.n != 36)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (dash ? c != '-' : !hex)
            return false;
    }
    return true;
}

/* Digits with an optional minus; leading zeros only up to the width, sign included. */
static bool is_integer(struct str s, uint32_t pad, bool small)
{
    bool minus = s.n > 0 && s.p[0] == '-';
    struct str digits = minus ? str_from(s, 1) : s;
    unsigned long long v = 0;
    if (!str_uint(digits, &v))
        return false;
    if (minus && v == 0)
        return false;
    if (digits.p[0] == '0' && digits.n > 1 && s.n > pad)
        return false;
    if (s.n < pad)
        return false;
    unsigned long long most = small ? INT32_MAX : INT64_MAX;
    return v <= most + (minus ? 1 : 0);
}

static bool is_numeric(struct str s)
{
    char canonical[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    return decimal_canon(s, canonical, &n, &same) == DECIMAL_OK && same;
}

bool tpl_type_spells(enum col_type type, uint32_t pad, struct str text)
{
    switch ((int)type) {
    case COL_TEXT:
        return true;
    case COL_INTEGER:
        return is_integer(text, pad, true);
    case COL_BIGINT:
        return is_integer(text, pad, false);
    case COL_NUMERIC:
        return is_numeric(text);
    case COL_BOOLEAN:
        return str_is(text, "true") || str_is(text, "false");
    case COL_DATE:
        return is_date(text);
    case COL_TIMESTAMPTZ:
        return is_stamp(text);
    case COL_UUID:
        return is_uuid(text);
    default:
        return false;
    }
}

uint32_t tpl_tail(const struct tpl *t, uint32_t part)
{
    return part > 1 && t->pieces[part - 1].literal ? part - 1 : part;
}

/* True if a text may end before piece i: what is left is an optional tail. */
static bool may_end(const struct tpl *t, uint32_t i)
{
    for (uint32_t part = i; part < t->n && part <= i + 1; part++) {
        if (t->pieces[part].optional && tpl_tail(t, part) == i)
            return true;
    }
    return false;
}

/* Where the part that is piece i ends: at the next literal, or with the text. */
static size_t part_end(const struct tpl *t, uint32_t i, struct str text, size_t from)
{
    if (i + 1 == t->n)
        return text.n;
    size_t hit = str_find(text, t->pieces[i + 1].text, from + 1);
    if (hit == text.n && !may_end(t, i + 1))
        return from;
    return hit;
}

bool tpl_match(const struct tpl *t, struct str text, struct str *parts)
{
    size_t at = 0;
    uint32_t part = 0;
    for (uint32_t i = 0; i < t->nparts; i++)
        parts[i] = (struct str){0};
    for (uint32_t i = 0; i < t->n; i++) {
        const struct tpl_piece *p = &t->pieces[i];
        if (at == text.n && may_end(t, i))
            return true;
        if (p->literal) {
            if (!str_starts(str_from(text, at), p->text))
                return false;
            at += p->text.n;
            continue;
        }
        size_t end = at < text.n ? part_end(t, i, text, at) : at;
        struct str found = str_make(text.p + at, end - at);
        if (found.n == 0 || !tpl_type_spells(p->type, p->pad, found))
            return false;
        parts[part++] = found;
        at = end;
    }
    return at == text.n;
}
