/* SPDX-License-Identifier: MIT */
/*
 * Finding the end of a plain run inside a JSON string: the bytes that stand for themselves,
 * not a quote, a backslash or a control character. Sixteen bytes at a time where the machine
 * has SSE2, else eight in a word.
 */
#ifndef BASE_BYTESCAN_H
#define BASE_BYTESCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* bytescan_plain for any machine, and for the last bytes of a text. */
const char *bytescan_plain_words(const char *p, const char *end, unsigned *high);

/* The bits of the bytes among the 16 at p that are digits, the first byte's lowest. */
unsigned bytescan_digits_bytes(const char *p);

/*
 * How many of the 16 bytes at p, which must all be there, stand before the first that is not
 * plain. *high becomes other than 0 if one of them is 0x80 or more, else it is left alone.
 */
static inline size_t bytescan_block(const char *p, unsigned *high)
{
#ifdef __SSE2__
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i stop = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')),
                                _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
    unsigned hits = (unsigned)_mm_movemask_epi8(stop) | 1U << 16;
    /* hits ^ (hits - 1) covers the first hit and all below it; the hit itself is ASCII */
    *high |= (unsigned)_mm_movemask_epi8(v) & (hits ^ (hits - 1));
    return (size_t)__builtin_ctz(hits);
#else
    return (size_t)(bytescan_plain_words(p, p + 16, high) - p);
#endif
}

/* The first byte at or after p that is not plain, or end; never is a byte beyond it read. */
static inline const char *bytescan_plain(const char *p, const char *end, unsigned *high)
{
    for (; end - p >= 16; p += 16) {
        size_t n = bytescan_block(p, high);
        if (n < 16)
            return p + n;
    }
    return bytescan_plain_words(p, end, high);
}

/* bytescan_all_plain for fewer than 16 bytes. */
bool bytescan_few_plain(const char *p, size_t n);

/* Are all n bytes plain? */
static inline bool bytescan_all_plain(const char *p, size_t n)
{
    unsigned high = 0;
    if (n < 16)
        return bytescan_few_plain(p, n);
    const char *last = p + n - 16; /* the last block may overlap the one before */
    for (; p < last; p += 16) {
        if (bytescan_block(p, &high) < 16)
            return false;
    }
    return bytescan_block(last, &high) == 16;
}

/* As bytescan_digits_bytes. */
static inline unsigned bytescan_digits(const char *p)
{
#ifdef __SSE2__
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    v = _mm_sub_epi8(v, _mm_set1_epi8('0'));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(9)), v));
#else
    return bytescan_digits_bytes(p);
#endif
}

#endif
