/* SPDX-License-Identifier: MIT */
/*
 * Numbers few digits long, as nearly all are, straight to the groups of four digits that the server
 * keeps. Inline, as it is run for every such cell; all other numbers go the way of numeric.c.
 */
#ifndef SINKS_POSTGRES_WIRE_NUMERIC_H
#define SINKS_POSTGRES_WIRE_NUMERIC_H

#include "sinks/postgres/wire/binary.h"

enum { NUMERIC_NEGATIVE = 0x4000 };

static inline void pg_put16(char *p, unsigned v)
{
    p[0] = (char)(unsigned char)(v >> 8);
    p[1] = (char)(unsigned char)v;
}

/* A sign, digits, a point and digits, few enough for one integer; value = v / 10^scale. */
struct pg_short {
    uint64_t v;
    unsigned scale;
    bool negative;
};

enum { PG_SHORT_DIGITS = 15 };

static inline bool pg_short_read(struct pg_short *out, struct str text)
{
    size_t i = text.n > 0 && text.p[0] == '-';
    size_t point = text.n;
    uint64_t v = 0;
    if (text.n - i > PG_SHORT_DIGITS + 1)
        return false;
    out->negative = i == 1;
    for (; i < text.n; i++) {
        unsigned digit = (unsigned)(unsigned char)text.p[i] - '0';
        if (digit > 9) {
            if (text.p[i] != '.' || point < text.n)
                return false;
            point = i;
            continue;
        }
        v = v * 10 + digit;
    }
    out->v = v;
    out->scale = point < text.n ? (unsigned)(text.n - point - 1) : 0;
    /* zero, and a fraction that could be shorter, are left to the long way */
    return v > 0 && (out->scale == 0 || text.p[text.n - 1] != '0');
}

enum { PG_SHORT_GROUPS = 6, PG_SHORT_ROOM = 8 + 2 * PG_SHORT_GROUPS };

/* Writes at most PG_SHORT_ROOM bytes at p; returns the place behind them. */
static inline char *pg_short_put(char *p, const struct pg_short *d)
{
    static const unsigned fill[4] = {1, 1000, 100, 10};
    unsigned groups[PG_SHORT_GROUPS];
    int n = 0, low = -(int)((d->scale + 3) / 4);
    uint64_t v = d->v * fill[d->scale % 4];
    for (; v % 10000 == 0; v /= 10000)
        low++;
    for (; v > 0; v /= 10000)
        groups[n++] = (unsigned)(v % 10000);
    pg_put16(p, (unsigned)n);
    pg_put16(p + 2, (unsigned)(n - 1 + low) & 0xffff);
    pg_put16(p + 4, d->negative ? NUMERIC_NEGATIVE : 0);
    pg_put16(p + 6, d->scale);
    for (p += 8; n > 0; p += 2)
        pg_put16(p, groups[--n]);
    return p;
}

#endif
