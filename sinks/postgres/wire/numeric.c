/* SPDX-License-Identifier: MIT */
/*
 * Decimal text of any length to the binary form of numeric: cut into groups of four digits without
 * any arithmetic on the number itself. And back to canonical text, whatever the display scale.
 */
#include "sinks/postgres/wire/numeric.h"

#include <stdio.h>

#include "pipeline/item/decimal.h"
#include "sinks/postgres/wire/codec_private.h"

enum { MAX_DIGITS = 420 };

/* A number as digits and a power of ten: value = digits * 10^exponent. */
struct decimal {
    char digits[MAX_DIGITS];
    int n;
    int exponent;
    bool negative;
};

static int read_exponent(struct str text, size_t i)
{
    int sign = 1, e = 0;
    if (i < text.n && (text.p[i] == '+' || text.p[i] == '-'))
        sign = text.p[i++] == '-' ? -1 : 1;
    for (; i < text.n && e < 100000; i++)
        e = e * 10 + (text.p[i] - '0');
    return sign * e;
}

static void decimal_read(struct decimal *d, struct str text)
{
    bool point = false;
    size_t i = 0;
    d->n = 0;
    d->exponent = 0;
    d->negative = text.n > 0 && text.p[0] == '-';
    for (i = d->negative ? 1 : 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == 'E' || c == 'e')
            break;
        if (c == '.') {
            point = true;
            continue;
        }
        if (point)
            d->exponent--;
        if ((c != '0' || d->n > 0) && d->n < MAX_DIGITS)
            d->digits[d->n++] = c;
    }
    if (i < text.n)
        d->exponent += read_exponent(text, i + 1);
    while (d->n > 0 && d->digits[d->n - 1] == '0') {
        d->n--;
        d->exponent++;
    }
}

static int floor_div4(int v)
{
    return v >= 0 ? v / 4 : -((3 - v) / 4);
}

void pg_binary_numeric(struct buf *b, struct str text)
{
    struct decimal d;
    struct pg_short small;
    if (pg_short_read(&small, text)) {
        if (buf_room(b, PG_SHORT_ROOM))
            b->len = (size_t)(pg_short_put(b->p + b->len, &small) - b->p);
        return;
    }
    decimal_read(&d, text);
    if (d.n == 0) {
        buf_add(b, "\0\0\0\0\0\0\0\0", 8);
        return;
    }
    /* behind the last digit stand `tail` zeros, so that the groups meet the decimal point */
    int low = floor_div4(d.exponent);
    int tail = d.exponent - low * 4;
    int groups = (d.n + tail + 3) / 4;
    int lead = groups * 4 - d.n - tail;
    if (!buf_room(b, 8 + 2 * (size_t)groups))
        return;
    char *p = b->p + b->len;
    pg_put16(p, (unsigned)groups);
    pg_put16(p + 2, (unsigned)(groups - 1 + low) & 0xffff);
    pg_put16(p + 4, d.negative ? NUMERIC_NEGATIVE : 0);
    pg_put16(p + 6, d.exponent < 0 ? (unsigned)-d.exponent : 0);
    p += 8;
    int at = -lead;
    for (int g = 0; g < groups; g++, p += 2) {
        unsigned v = 0;
        for (int k = 0; k < 4; k++, at++)
            v = v * 10 + (at >= 0 && at < d.n ? (unsigned)(d.digits[at] - '0') : 0);
        pg_put16(p, v);
    }
    b->len += 8 + 2 * (size_t)groups;
}

enum rc pg_numeric_put(struct buf *b, enum col_type type, const struct datum *d,
                       struct err *err)
{
    (void)type;
    if (d->u.text.n + 1 > PG_FIELD_MAX)
        return pg_field_too_long(err, d->u.text.n);
    size_t at = pg_field_open(b);
    pg_binary_numeric(b, d->u.text);
    pg_field_close(b, at);
    return RC_OK;
}

enum rc pg_numeric_canonical(struct str text, struct arena *a, struct str *out, bool *fits)
{
    char canon[DECIMAL_MAX];
    size_t n = 0;
    bool same = false;
    *fits = decimal_canon(text, canon, &n, &same) == DECIMAL_OK;
    *out = arena_dup(a, *fits && !same ? str_make(canon, n) : text);
    return out->p ? RC_OK : RC_NOMEM;
}

static enum rc read_special(uint32_t sign, struct arena *a, struct str *out)
{
    *out = arena_dup(a, sign == 0xC000   ? STR("NaN")
                        : sign == 0xD000 ? STR("Infinity")
                                         : STR("-Infinity"));
    return out->p ? RC_OK : RC_NOMEM;
}

enum rc pg_numeric_get(enum col_type type, struct str f, struct arena *a, struct datum *out,
                       struct err *err)
{
    (void)type;
    struct str *number = &out->u.text;
    size_t n = 0;
    bool fits = true;
    if (f.n < 8 || f.n != 8 + 2 * (size_t)pg_get16(f.p))
        return pg_field_malformed(err, "numeric");
    int groups = (int)pg_get16(f.p), weight = (int16_t)pg_get16(f.p + 2);
    uint32_t sign = pg_get16(f.p + 4);
    if (sign >= 0xC000)
        return read_special(sign, a, number);
    char *text = arena_alloc(a, (size_t)groups * 4 + 32);
    if (text == NULL)
        return RC_NOMEM;
    if (sign == 0x4000)
        text[n++] = '-';
    size_t first = n;
    for (int g = 0; g < groups; g++) {
        unsigned v = pg_get16(f.p + 8 + 2 * (size_t)g);
        if (v > 9999)
            return pg_field_malformed(err, "numeric");
        char four[4] = {(char)('0' + v / 1000), (char)('0' + v / 100 % 10),
                        (char)('0' + v / 10 % 10), (char)('0' + v % 10)};
        for (int k = 0; k < 4; k++) {
            if (n > first || four[k] != '0')
                text[n++] = four[k];
        }
    }
    if (n == first) {
        *number = STR("0");
        return RC_OK;
    }
    int exponent = (weight - groups + 1) * 4;
    while (text[n - 1] == '0') {
        n--;
        exponent++;
    }
    n += (size_t)snprintf(text + n, 16, "E%d", exponent);
    return pg_numeric_canonical(str_make(text, n), a, number, &fits);
}
