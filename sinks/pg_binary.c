/* SPDX-License-Identifier: MIT */
/*
 * Encoders of the binary COPY format. Each writes the length word in front of its bytes; where
 * the length is known only afterwards (numeric, arrays) a hole is left and filled. Decimal text
 * is cut into groups of four digits without any arithmetic on the number itself.
 */
#include "sinks/pg_binary.h"

#include <string.h>

enum {
    DAYS_1970_TO_2000 = 10957,
    NUMERIC_NEGATIVE = 0x4000,
    JSONB_VERSION = 1,
    MAX_DIGITS = 420
};

static const int64_t us_1970_to_2000 = INT64_C(946684800000000);

static const uint32_t type_oids[COL_TYPES] = {
    [COL_TEXT] = 25,
    [COL_INTEGER] = 23,
    [COL_BIGINT] = 20,
    [COL_NUMERIC] = 1700,
    [COL_DOUBLE] = 701,
    [COL_BOOLEAN] = 16,
    [COL_BYTEA] = 17,
    [COL_DATE] = 1082,
    [COL_TIMESTAMPTZ] = 1184,
    [COL_UUID] = 2950,
    [COL_JSONB] = 3802,
    [COL_TEXT_ARRAY] = 1009,
    [COL_NUMERIC_ARRAY] = 1231,
    [COL_BYTEA_ARRAY] = 1001,
};

uint32_t pg_type_oid(enum col_type type)
{
    return type_oids[type];
}

void pg_binary_header(struct buf *b)
{
    static const char header[PG_HEADER_BYTES] = "PGCOPY\n\377\r\n\0";
    buf_add(b, header, sizeof header);
}

void pg_binary_trailer(struct buf *b)
{
    buf_be16(b, UINT16_MAX);
}

static void put16(char *p, unsigned v)
{
    p[0] = (char)(unsigned char)(v >> 8);
    p[1] = (char)(unsigned char)v;
}

static void put32(char *p, uint32_t v)
{
    pg_binary_word(p, v);
}

static void put64(char *p, uint64_t v)
{
    put32(p, (uint32_t)(v >> 32));
    put32(p + 4, (uint32_t)v);
}

void pg_binary_int(struct buf *b, int32_t v)
{
    if (!buf_room(b, 8))
        return;
    put32(b->p + b->len, 4);
    put32(b->p + b->len + 4, (uint32_t)v);
    b->len += 8;
}

void pg_binary_bigint(struct buf *b, int64_t v)
{
    if (!buf_room(b, 12))
        return;
    put32(b->p + b->len, 8);
    put64(b->p + b->len + 4, (uint64_t)v);
    b->len += 12;
}

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

/* A sign, digits, a point and digits, few enough for one integer; value = v / 10^scale. */
struct shortened {
    uint64_t v;
    unsigned scale;
    bool negative;
};

enum { SHORT_DIGITS = 15 };

static bool short_read(struct shortened *out, struct str text)
{
    size_t i = text.n > 0 && text.p[0] == '-';
    size_t point = text.n;
    uint64_t v = 0;
    if (text.n - i > SHORT_DIGITS + 1)
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

static void add_short(struct buf *b, const struct shortened *d)
{
    static const unsigned fill[4] = {1, 1000, 100, 10};
    unsigned groups[6];
    int n = 0, low = -(int)((d->scale + 3) / 4);
    uint64_t v = d->v * fill[d->scale % 4];
    for (; v % 10000 == 0; v /= 10000)
        low++;
    for (; v > 0; v /= 10000)
        groups[n++] = (unsigned)(v % 10000);
    if (!buf_room(b, 8 + 2 * (size_t)n))
        return;
    char *p = b->p + b->len;
    put16(p, (unsigned)n);
    put16(p + 2, (unsigned)(n - 1 + low) & 0xffff);
    put16(p + 4, d->negative ? NUMERIC_NEGATIVE : 0);
    put16(p + 6, d->scale);
    b->len += 8 + 2 * (size_t)n;
    for (p += 8; n > 0; p += 2)
        put16(p, groups[--n]);
}

void pg_binary_numeric(struct buf *b, struct str text)
{
    struct decimal d;
    struct shortened small;
    if (short_read(&small, text)) {
        add_short(b, &small);
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
    put16(p, (unsigned)groups);
    put16(p + 2, (unsigned)(groups - 1 + low) & 0xffff);
    put16(p + 4, d.negative ? NUMERIC_NEGATIVE : 0);
    put16(p + 6, d.exponent < 0 ? (unsigned)-d.exponent : 0);
    p += 8;
    int at = -lead;
    for (int g = 0; g < groups; g++, p += 2) {
        unsigned v = 0;
        for (int k = 0; k < 4; k++, at++)
            v = v * 10 + (at >= 0 && at < d.n ? (unsigned)(d.digits[at] - '0') : 0);
        put16(p, v);
    }
    b->len += 8 + 2 * (size_t)groups;
}

static size_t open_field(struct buf *b)
{
    pg_binary_null(b);
    return b->len;
}

static void close_field(struct buf *b, size_t start)
{
    if (b->rc == RC_OK)
        put32(b->p + start - 4, (uint32_t)(b->len - start));
}

static enum rc too_long(struct err *err, size_t n)
{
    return err_set(err, RC_DATA, "a value of %zu bytes is past PostgreSQL's limit of %zu", n,
                   PG_FIELD_MAX);
}

static enum rc add_array(struct buf *b, enum col_type type, const struct datum *d,
                         struct err *err)
{
    enum col_type element = type == COL_TEXT_ARRAY      ? COL_TEXT
                            : type == COL_NUMERIC_ARRAY ? COL_NUMERIC
                                                        : COL_BYTEA;
    size_t total = 20, nulls = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        total += 4 + d->u.array[i].n;
        nulls += d->u.array[i].p == NULL;
        if (total > PG_FIELD_MAX)
            return too_long(err, total);
    }
    size_t start = open_field(b);
    buf_be32(b, d->n > 0 ? 1 : 0);
    buf_be32(b, nulls > 0 ? 1 : 0);
    buf_be32(b, type_oids[element]);
    if (d->n > 0) {
        buf_be32(b, d->n);
        buf_be32(b, 1);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        struct str s = d->u.array[i];
        if (s.p == NULL) {
            pg_binary_null(b);
        } else if (element == COL_NUMERIC) {
            size_t at = open_field(b);
            pg_binary_numeric(b, s);
            close_field(b, at);
        } else {
            pg_binary_bytes(b, s);
        }
    }
    close_field(b, start);
    return RC_OK;
}

static enum rc add_bytes(struct buf *b, enum col_type type, struct str s, struct err *err)
{
    if (s.n + 1 > PG_FIELD_MAX)
        return too_long(err, s.n);
    if (type == COL_NUMERIC) {
        size_t at = open_field(b);
        pg_binary_numeric(b, s);
        close_field(b, at);
    } else if (type == COL_JSONB) {
        buf_be32(b, (uint32_t)s.n + 1);
        buf_putc(b, JSONB_VERSION);
        buf_add_str(b, s);
    } else {
        pg_binary_bytes(b, s);
    }
    return RC_OK;
}

enum rc pg_binary_value(struct buf *b, enum col_type type, const struct datum *d,
                        struct err *err)
{
    uint64_t bits = 0;
    switch (type) {
    case COL_TEXT:
    case COL_BYTEA:
    case COL_NUMERIC:
    case COL_JSONB:
        return add_bytes(b, type, d->u.text, err);
    case COL_INTEGER:
        pg_binary_int(b, (int32_t)d->u.i);
        break;
    case COL_BIGINT:
        pg_binary_bigint(b, d->u.i);
        break;
    case COL_DOUBLE:
        memcpy(&bits, &d->u.d, sizeof bits);
        pg_binary_bigint(b, (int64_t)bits);
        break;
    case COL_BOOLEAN:
        buf_be32(b, 1);
        buf_putc(b, d->u.boolean ? 1 : 0);
        break;
    case COL_DATE:
        pg_binary_int(b, (int32_t)(d->u.i - DAYS_1970_TO_2000));
        break;
    case COL_TIMESTAMPTZ:
        pg_binary_bigint(b, d->u.i - us_1970_to_2000);
        break;
    case COL_UUID:
        pg_binary_bytes(b, str_make((const char *)d->u.uuid, sizeof d->u.uuid));
        break;
    case COL_TEXT_ARRAY:
    case COL_NUMERIC_ARRAY:
    case COL_BYTEA_ARRAY:
        return add_array(b, type, d, err);
    case COL_TYPES:
        break;
    }
    return RC_OK;
}
