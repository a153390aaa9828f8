/* SPDX-License-Identifier: MIT */
/*
 * A borrowed run of bytes. It owns nothing and need not end in NUL; it is valid as long as
 * what it points into. The empty view may have a null pointer.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *p;
    size_t n;
};

#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
/* For printf's "%.*s". */
#define STR_FMT(s) (int)(s).n, (s).n ? (s).p : ""

static inline struct str str_of(const char *text)
{
    return (struct str){text, text ? strlen(text) : 0};
}

static inline struct str str_make(const char *p, size_t n)
{
    return (struct str){p, n};
}

/* The bytes of longer texts. Not inline: a compiler that sees a short array here warns in vain. */
bool str_same_long(const char *a, const char *b, size_t n);

/* Names are short and compared all the time: up to 16 bytes without a call. */
static inline bool str_same(const char *a, const char *b, size_t n)
{
    uint64_t x = 0, y = 0, v = 0, w = 0;
    if (n > 16)
        return str_same_long(a, b, n);
    if (n >= 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        memcpy(&v, a + n - 8, 8);
        memcpy(&w, b + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        memcpy(&v, a + n - 4, 4);
        memcpy(&w, b + n - 4, 4);
    } else if (n) {
        return a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1];
    }
    return ((x ^ y) | (v ^ w)) == 0;
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && str_same(a.p, b.p, a.n);
}

/* Copies n bytes and returns the place behind them; short texts without a call. */
static inline char *str_put(char *to, const char *p, size_t n)
{
    if (n > 32) {
        memcpy(to, p, n);
    } else if (n >= 16) {
        memcpy(to, p, 16);
        memcpy(to + n - 16, p + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, p, 8);
        memcpy(to + n - 8, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, p, 4);
        memcpy(to + n - 4, p + n - 4, 4);
    } else if (n) {
        to[0] = p[0];
        to[n / 2] = p[n / 2];
        to[n - 1] = p[n - 1];
    }
    return to + n;
}

static inline bool str_is(struct str a, const char *text)
{
    return str_eq(a, str_of(text));
}

static inline bool str_starts(struct str s, struct str with)
{
    return s.n >= with.n && (with.n == 0 || memcmp(s.p, with.p, with.n) == 0);
}

static inline bool str_ends(struct str s, struct str with)
{
    return s.n >= with.n && (with.n == 0 || memcmp(s.p + s.n - with.n, with.p, with.n) == 0);
}

static inline struct str str_from(struct str s, size_t start)
{
    return (struct str){s.p + start, s.n - start};
}

/* Order by bytes, the shorter first. */
int str_cmp(struct str a, struct str b);

/* Position of `needle` in `s` at or after `from`, or s.n. */
size_t str_find(struct str s, struct str needle, size_t from);

/* True if the whole of `s` matches `glob`: '*' any run, '?' one byte, '\' quotes. */
bool str_glob(struct str s, struct str glob);

/* Reads decimal digits (all of s, no sign); false if empty, not digits or too large. */
bool str_uint(struct str s, unsigned long long *out);

#endif
