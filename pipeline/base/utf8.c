/* SPDX-License-Identifier: MIT */
/* Runs of ASCII go eight bytes at a time; the rest is decided character by character. */
#include "pipeline/base/utf8.h"

#include <stdint.h>

static size_t ascii_run(const unsigned char *p, size_t n)
{
    size_t i = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, 8);
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    while (i < n && p[i] < 0x80)
        i++;
    return i;
}

static bool tail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Length of the non-ASCII character at p, or 0 if it is none. */
static size_t char_len(const unsigned char *p, size_t n)
{
    unsigned char c = p[0];
    if (c < 0xC2 || c > 0xF4)
        return 0;
    size_t len = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (n < len)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if (!tail(p[i]))
            return 0;
    }
    /* these first bytes narrow the second one: overlong forms, surrogates, beyond U+10FFFF */
    if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F))
        return 0;
    if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F))
        return 0;
    return len;
}

size_t utf8_bad(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;
    while (i < s.n) {
        i += ascii_run(p + i, s.n - i);
        if (i == s.n)
            break;
        size_t len = char_len(p + i, s.n - i);
        if (len == 0)
            return i;
        i += len;
    }
    return s.n;
}

struct str utf8_cut(struct str s, size_t max)
{
    if (s.n <= max)
        return s;
    size_t n = max;
    while (n > 0 && max - n < 3 && tail((unsigned char)s.p[n]))
        n--;
    return str_make(s.p, n);
}
