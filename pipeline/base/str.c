/* SPDX-License-Identifier: MIT */
/* Views on bytes: comparing and searching. The glob matcher backtracks to the last star only. */
#define _GNU_SOURCE
#include "pipeline/base/str.h"

#include <limits.h>
#include <stdint.h>

bool str_same_long(const char *a, const char *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    if (c)
        return c;
    return a.n < b.n ? -1 : a.n > b.n;
}

size_t str_find(struct str s, struct str needle, size_t from)
{
    if (needle.n == 0 || from > s.n || s.n - from < needle.n)
        return s.n;
    const char *hit = memmem(s.p + from, s.n - from, needle.p, needle.n);
    return hit ? (size_t)(hit - s.p) : s.n;
}

/* One step of the pattern against one byte; *width is how much of the pattern it took. */
static bool one_matches(struct str glob, size_t at, char c, size_t *width)
{
    *width = 1;
    if (glob.p[at] == '\\' && at + 1 < glob.n) {
        *width = 2;
        return glob.p[at + 1] == c;
    }
    return glob.p[at] == '?' || glob.p[at] == c;
}

bool str_glob(struct str s, struct str glob)
{
    size_t i = 0, g = 0, star = SIZE_MAX, mark = 0, width = 0;
    while (i < s.n) {
        if (g < glob.n && glob.p[g] == '*') {
            star = g++;
            mark = i;
        } else if (g < glob.n && one_matches(glob, g, s.p[i], &width)) {
            g += width;
            i++;
        } else if (star != SIZE_MAX) {
            g = star + 1;
            i = ++mark;
        } else {
            return false;
        }
    }
    while (g < glob.n && glob.p[g] == '*')
        g++;
    return g == glob.n;
}

bool str_uint(struct str s, unsigned long long *out)
{
    unsigned long long v = 0;
    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        unsigned digit = (unsigned)(s.p[i] - '0');
        if (v > (ULLONG_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = v;
    return true;
}
