/* SPDX-License-Identifier: MIT */
/* Both directions go group by group; the last group alone may be padded. */
#include "pipeline/base/base64.h"

#include <stdint.h>

static const char ALPHABET[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The value of each digit with a mark above it; no mark: not a digit. */
enum { MARK = 64 };
static const unsigned char DIGIT[256] = {
    ['A'] = 64,  ['B'] = 65,  ['C'] = 66,  ['D'] = 67,  ['E'] = 68,  ['F'] = 69,  ['G'] = 70,
    ['H'] = 71,  ['I'] = 72,  ['J'] = 73,  ['K'] = 74,  ['L'] = 75,  ['M'] = 76,  ['N'] = 77,
    ['O'] = 78,  ['P'] = 79,  ['Q'] = 80,  ['R'] = 81,  ['S'] = 82,  ['T'] = 83,  ['U'] = 84,
    ['V'] = 85,  ['W'] = 86,  ['X'] = 87,  ['Y'] = 88,  ['Z'] = 89,  ['a'] = 90,  ['b'] = 91,
    ['c'] = 92,  ['d'] = 93,  ['e'] = 94,  ['f'] = 95,  ['g'] = 96,  ['h'] = 97,  ['i'] = 98,
    ['j'] = 99,  ['k'] = 100, ['l'] = 101, ['m'] = 102, ['n'] = 103, ['o'] = 104, ['p'] = 105,
    ['q'] = 106, ['r'] = 107, ['s'] = 108, ['t'] = 109, ['u'] = 110, ['v'] = 111, ['w'] = 112,
    ['x'] = 113, ['y'] = 114, ['z'] = 115, ['0'] = 116, ['1'] = 117, ['2'] = 118, ['3'] = 119,
    ['4'] = 120, ['5'] = 121, ['6'] = 122, ['7'] = 123, ['8'] = 124, ['9'] = 125, ['+'] = 126,
    ['/'] = 127};

/* Reads `count` digits at p into *bits; the index of the first that is none, or count. */
static size_t read_digits(const char *p, size_t count, uint32_t *bits)
{
    *bits = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned char d = DIGIT[(unsigned char)p[i]];
        if (!(d & MARK))
            return i;
        *bits = *bits << 6 | (d & (MARK - 1));
    }
    return count;
}

/* The last group, with `pad` signs of padding. */
static size_t decode_padded(const char *p, size_t pad, unsigned char *out)
{
    uint32_t bits;
    size_t good = read_digits(p, 4 - pad, &bits);
    if (good < 4 - pad)
        return good;
    uint32_t unused = pad == 1 ? bits & 3 : bits & 15;
    if (unused)
        return 3 - pad;
    if (pad == 1) {
        out[0] = (unsigned char)(bits >> 10);
        out[1] = (unsigned char)(bits >> 2);
    } else {
        out[0] = (unsigned char)(bits >> 4);
    }
    return 4;
}

bool base64_decode(struct str text, unsigned char *out, size_t *n, size_t *bad)
{
    *n = 0;
    size_t pad = 0;
    if (text.n >= 4 && text.n % 4 == 0 && text.p[text.n - 1] == '=')
        pad = text.p[text.n - 2] == '=' ? 2 : 1;
    size_t whole = pad ? text.n - 4 : text.n - text.n % 4;
    for (size_t i = 0; i < whole; i += 4) {
        uint32_t bits;
        size_t good = read_digits(text.p + i, 4, &bits);
        if (good < 4) {
            *bad = i + good;
            return false;
        }
        out[(*n)++] = (unsigned char)(bits >> 16);
        out[(*n)++] = (unsigned char)(bits >> 8);
        out[(*n)++] = (unsigned char)bits;
    }
    if (text.n % 4) {
        *bad = text.n;
        return false;
    }
    if (pad == 0)
        return true;
    size_t good = decode_padded(text.p + whole, pad, out + *n);
    *bad = whole + good;
    *n += 3 - pad;
    return good == 4;
}

void base64_add(struct buf *b, struct str bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t n = bytes.n;
    if (n > BUF_NO_LIMIT / 2 || !buf_room(b, (n + 2) / 3 * 4)) {
        b->rc = RC_NOMEM;
        return;
    }
    char *to = b->p + b->len;
    b->len += (n + 2) / 3 * 4;
    for (; n >= 3; n -= 3, p += 3) {
        uint32_t bits = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        *to++ = ALPHABET[bits >> 18];
        *to++ = ALPHABET[bits >> 12 & 63];
        *to++ = ALPHABET[bits >> 6 & 63];
        *to++ = ALPHABET[bits & 63];
    }
    if (n == 0)
        return;
    uint32_t bits = (uint32_t)p[0] << 16 | (n == 2 ? (uint32_t)p[1] << 8 : 0);
    *to++ = ALPHABET[bits >> 18];
    *to++ = ALPHABET[bits >> 12 & 63];
    *to++ = n == 2 ? ALPHABET[bits >> 6 & 63] : '=';
    *to++ = '=';
}
