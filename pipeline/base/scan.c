/* SPDX-License-Identifier: MIT */
/* Eight bytes in a word: a byte is hit if subtracting borrows into its top bit. */
#include "pipeline/base/scan.h"

#include <string.h>

const char *scan_plain_words(const char *p, const char *end, unsigned *high)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t seen = 0;
    for (; end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        uint64_t quote = w ^ ones * '"', back = w ^ ones * '\\';
        uint64_t hit =
            ((quote - ones) & ~quote) | ((back - ones) & ~back) | ((w - ones * 0x20) & ~w);
        /* a borrow may hit a byte too many, never one too few: the bytes below tell */
        if (hit & tops)
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

unsigned scan_digits_bytes(const char *p)
{
    unsigned mask = 0;
    for (int i = 0; i < 16; i++)
        mask |= (unsigned)(p[i] >= '0' && p[i] <= '9') << i;
    return mask;
}
