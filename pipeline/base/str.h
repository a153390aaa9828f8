/* SPDX-License-Identifier: MIT */
/*
 * A borrowed run of bytes. It owns nothing and need not end in NUL; it is valid as long as
 * what it points into. The empty view may have a null pointer.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
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

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
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
