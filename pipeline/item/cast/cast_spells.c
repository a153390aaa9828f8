/* SPDX-License-Identifier: MIT */
/*
 * The one spelling of a value: what its type prints, byte for byte. A typed part of a key template
 * must have it, so that the key can be printed back.
 */
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/decimal.h"
#include "pipeline/item/timestamp.h"

/* Digits with an optional minus; leading zeros only up to the width, sign included. */
bool cast_spells_integer(enum col_type type, uint32_t pad, struct str s)
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
    unsigned long long most = (unsigned long long)column_types[type].most;
    return v <= most + (minus ? 1 : 0);
}

bool cast_spells_numeric(enum col_type type, uint32_t pad, struct str s)
{
    (void)type;
    (void)pad;
    char canonical[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    return decimal_canon(s, canonical, &n, &same) == DECIMAL_OK && same;
}

bool cast_spells_boolean(enum col_type type, uint32_t pad, struct str s)
{
    (void)type;
    (void)pad;
    return str_is(s, "true") || str_is(s, "false");
}

static bool prints_back(struct buf *b, struct str text)
{
    bool same = !b->rc && str_eq(buf_view(b), text);
    buf_release(b);
    return same;
}

bool cast_spells_date(enum col_type type, uint32_t pad, struct str text)
{
    (void)type;
    (void)pad;
    int64_t days = 0;
    struct buf b;
    if (!timestamp_parse_date(text, &days))
        return false;
    buf_init(&b, 64);
    timestamp_add_date(&b, days);
    return prints_back(&b, text);
}

bool cast_spells_timestamp(enum col_type type, uint32_t pad, struct str text)
{
    (void)type;
    (void)pad;
    struct timestamp_text t;
    struct buf b;
    if (!timestamp_parse_text(text, &t) || t.has_offset || t.cut)
        return false;
    buf_init(&b, 64);
    timestamp_add_local(&b, timestamp_text_us(&t));
    return prints_back(&b, text);
}

bool cast_spells_timestamptz(enum col_type type, uint32_t pad, struct str text)
{
    (void)type;
    (void)pad;
    int64_t us = 0;
    bool cut = false;
    struct buf b;
    if (!timestamp_parse_stamp(text, &us, &cut) || cut)
        return false;
    buf_init(&b, 64);
    timestamp_add_stamp(&b, us);
    return prints_back(&b, text);
}

bool cast_spells_uuid(enum col_type type, uint32_t pad, struct str s)
{
    (void)type;
    (void)pad;
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
