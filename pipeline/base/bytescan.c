/* SPDX-License-Identifier: MIT */
/* Eight bytes in a word: a byte is hit if subtracting borrows into its top bit. */
#include "pipeline/base/bytescan.h"

#include <string.h>

static const uint64_t ONES = UINT64_C(0x0101010101010101);

/* Top bits are set if one of the eight bytes is not plain; which of them, the lowest tells. */
static inline uint64_t not_plain(uint64_t w)
{
    uint64_t quote = w ^ ONES * '"', back = w ^ ONES * '\\';
    uint64_t hit =
        ((quote - ONES) & ~quote) | ((back - ONES) & ~back) | ((w - ONES * 0x20) & ~w);
    return hit & ONES << 7;
}

const char *bytescan_plain_words(const char *p, const char *end, unsigned *high)
{
    const uint64_t tops = ONES << 7;
    uint64_t seen = 0;
    for (; end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        if (not_plain(w))
            break;
        seen |= w & tops;
    }
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20 || c == '"' || c == '\\')
            break;
        seen |= c & 0x80;
    }
    *high |= seen != 0;
    return p;
}

unsigned bytescan_digits_bytes(const char *p)
{
    unsigned mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (unsigned)(p[i] >= '0' && p[i] <= '9') << i;
    return mask;
}

bool bytescan_few_plain(const char *p, size_t n)
{
    uint64_t w = ONES * 'x', v = w;
    if (n >= 8) {
        memcpy(&w, p, 8);
        memcpy(&v, p + n - 8, 8);
    } else if (n >= 4) {
        uint32_t first, last;
        memcpy(&first, p, 4);
        memcpy(&last, p + n - 4, 4);
        w = (uint64_t)first << 32 | last;
    } else if (n > 0) {
        w = w << 24 | (uint64_t)(unsigned char)p[0] << 16 |
            (uint64_t)(unsigned char)p[n / 2] << 8 | (unsigned char)p[n - 1];
    }
    return !(not_plain(w) | not_plain(v));
}
