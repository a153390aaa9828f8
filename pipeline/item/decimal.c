/* SPDX-License-Identifier: MIT */
/*
 * A number is its significant digits and the power of ten of the first of them; text is read
 * into that form and printed from it. Most numbers are canonical as they come and are only
 * looked at. No float anywhere.
 */
#include "pipeline/item/decimal.h"

#include <string.h>

enum { DIGITS_MAX = 38, PLAIN_MAX = 38, EXP_MAX = 125, EXP_MIN = -130 };

struct dec {
    bool neg;
    bool many; /* more than 38 significant digits were given */
    int64_t exp;
    size_t n; /* 0: the number is zero */
    char digits[DIGITS_MAX];
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Adds a digit that is not a leading zero; `zeros` are those held back as perhaps trailing. */
static void add_digit(struct dec *d, char c, size_t *zeros)
{
    if (c == '0') {
        ++*zeros;
        return;
    }
    if (d->many || *zeros >= DIGITS_MAX || d->n + *zeros >= DIGITS_MAX) {
        d->many = true;
        return;
    }
    memset(d->digits + d->n, '0', *zeros);
    d->n += *zeros;
    d->digits[d->n++] = c;
    *zeros = 0;
}

/* Digits with at most one point; false if there are none. Sets exp as if no E followed. */
static bool read_mantissa(struct str s, size_t *at, struct dec *d)
{
    bool any = false, point = false;
    size_t zeros = 0;
    int64_t exp = -1; /* of the first significant digit, once it is there */
    size_t i = *at;
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(c))
            break;
        any = true;
        bool significant = d->n > 0 || c != '0';
        if (significant && !point) {
            exp++;
        } else if (!significant && point) {
            exp--;
        }
        if (significant)
            add_digit(d, c, &zeros);
    }
    *at = i;
    d->exp = exp;
    return any;
}

/* What follows E; a size no number can have is enough to tell it is out of range. */
static bool read_exponent(struct str s, size_t *at, struct dec *d)
{
    size_t i = *at;
    bool neg = i < s.n && s.p[i] == '-';
    if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
        i++;
    if (i == s.n)
        return false;
    int64_t e = 0;
    for (; i < s.n && is_digit(s.p[i]); i++) {
        if (e < INT64_C(1000000000000))
            e = e * 10 + (s.p[i] - '0');
    }
    d->exp += neg ? -e : e;
    *at = i;
    return i > 0 && is_digit(s.p[i - 1]);
}

static enum decimal_fault parse(struct str s, struct dec *d)
{
    *d = (struct dec){0};
    size_t i = 0;
    if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
        d->neg = s.p[i++] == '-';
    if (!read_mantissa(s, &i, d))
        return DECIMAL_SYNTAX;
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        i++;
        if (!read_exponent(s, &i, d))
            return DECIMAL_SYNTAX;
    }
    if (i != s.n)
        return DECIMAL_SYNTAX;
    if (d->many)
        return DECIMAL_DIGITS;
    if (d->n == 0) {
        d->neg = false;
        d->exp = 0;
        return DECIMAL_OK;
    }
    return d->exp > EXP_MAX || d->exp < EXP_MIN ? DECIMAL_RANGE : DECIMAL_OK;
}

static size_t put(char *out, size_t at, const char *p, size_t n)
{
    if (n)
        memcpy(out + at, p, n);
    return at + n;
}

static size_t put_zeros(char *out, size_t at, size_t n)
{
    memset(out + at, '0', n);
    return at + n;
}

static size_t print_plain(const struct dec *d, char *out, size_t at)
{
    if (d->exp < 0) {
        at = put(out, at, "0.", 2);
        at = put_zeros(out, at, (size_t)(-d->exp - 1));
        return put(out, at, d->digits, d->n);
    }
    size_t whole = (size_t)d->exp + 1;
    if (whole >= d->n) {
        at = put(out, at, d->digits, d->n);
        return put_zeros(out, at, whole - d->n);
    }
    at = put(out, at, d->digits, whole);
    out[at++] = '.';
    return put(out, at, d->digits + whole, d->n - whole);
}

static size_t print_scientific(const struct dec *d, char *out, size_t at)
{
    out[at++] = d->digits[0];
    if (d->n > 1) {
        out[at++] = '.';
        at = put(out, at, d->digits + 1, d->n - 1);
    }
    out[at++] = 'E';
    out[at++] = d->exp < 0 ? '-' : '+';
    unsigned e = (unsigned)(d->exp < 0 ? -d->exp : d->exp);
    if (e >= 100)
        out[at++] = (char)('0' + e / 100);
    out[at++] = (char)('0' + e / 10 % 10); /* always two digits or more: e > 38 */
    out[at++] = (char)('0' + e % 10);
    return at;
}

static size_t print(const struct dec *d, char *out)
{
    size_t at = 0;
    if (d->n == 0)
        return put(out, at, "0", 1);
    if (d->neg)
        out[at++] = '-';
    if (d->exp >= -PLAIN_MAX && d->exp <= PLAIN_MAX)
        return print_plain(d, out, at);
    return print_scientific(d, out, at);
}

/*
 * True for texts that are canonical beyond doubt: at most 38 digits in all, with or without
 * a point. The few others that are canonical too take the long way.
 */
static bool plainly_canonical(struct str s)
{
    size_t i = s.n && s.p[0] == '-' ? 1 : 0;
    size_t first = i, point = 0;
    if (s.n - i > DIGITS_MAX || i == s.n)
        return false;
    for (; i < s.n; i++) {
        if (is_digit(s.p[i]))
            continue;
        if (s.p[i] != '.' || point || i == first)
            return false;
        point = i;
    }
    if (point && (point == s.n - 1 || s.p[s.n - 1] == '0'))
        return false;
    if (s.p[first] != '0')
        return true;
    return point == first + 1 || (s.n == 1);
}

enum decimal_fault decimal_canon(struct str text, char *out, size_t *n, bool *same)
{
    *same = plainly_canonical(text);
    *n = text.n;
    if (*same)
        return DECIMAL_OK;
    struct dec d;
    enum decimal_fault fault = parse(text, &d);
    if (fault)
        return fault;
    char canonical[DECIMAL_MAX];
    *n = print(&d, canonical);
    *same = str_eq(text, str_make(canonical, *n));
    if (!*same)
        memcpy(out, canonical, *n);
    return DECIMAL_OK;
}

/* Order of absolute values. */
static int cmp_size(const struct dec *a, const struct dec *b)
{
    if (a->n == 0 || b->n == 0)
        return (a->n > 0) - (b->n > 0);
    if (a->exp != b->exp)
        return a->exp < b->exp ? -1 : 1;
    return str_cmp(str_make(a->digits, a->n), str_make(b->digits, b->n));
}

int decimal_cmp(struct str a, struct str b)
{
    struct dec x, y;
    (void)parse(a, &x);
    (void)parse(b, &y);
    if (x.neg != y.neg)
        return x.neg ? -1 : 1;
    return x.neg ? cmp_size(&y, &x) : cmp_size(&x, &y);
}

bool decimal_int64(struct str canonical, int64_t *out)
{
    bool neg = canonical.n && canonical.p[0] == '-';
    unsigned long long v = 0;
    if (!str_uint(str_from(canonical, neg ? 1 : 0), &v) ||
        v > (uint64_t)INT64_MAX + (neg ? 1 : 0))
        return false;
    *out = neg ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

size_t decimal_plain(struct str canonical, char out[400])
{
    struct dec d;
    (void)parse(canonical, &d);
    if (d.n == 0)
        return put(out, 0, "0", 1);
    size_t at = 0;
    if (d.neg)
        out[at++] = '-';
    return print_plain(&d, out, at);
}

size_t decimal_size(struct str canonical)
{
    struct dec d;
    (void)parse(canonical, &d);
    if (d.n == 0)
        return 1;
    /* pairs of digits are aligned to even powers of ten */
    bool straddles = d.n % 2 == 0 && d.exp % 2 == 0;
    return 1 + (d.n + 1) / 2 + (straddles ? 1 : 0) + (d.neg ? 1 : 0);
}
