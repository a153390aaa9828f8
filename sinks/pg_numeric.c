/* SPDX-License-Identifier: MIT */
/*
 * Decimal text of any length to the binary form of numeric: cut into groups of four digits without
 * any arithmetic on the number itself.
 */
#include "sinks/pg_numeric.h"

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
