/* SPDX-License-Identifier: MIT */
/*
 * Finding the end of a plain run inside a JSON string: the bytes that stand for themselves.
 * Sixteen bytes at a time where the machine has SSE2, else eight in a word. Never is a byte
 * at or beyond `end` read.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* scan_plain for any machine, and for the last bytes of a text. */
const char *scan_plain_words(const char *p, const char *end, unsigned *high);

/*
 * The first byte at or after p that is a quote, a backslash or a control character, or end.
 * *high becomes other than 0 if a byte of 0x80 or more was passed, else it is left alone.
 */
static inline const char *scan_plain(const char *p, const char *end, unsigned *high)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), back = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);
    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stop = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, back));
        stop = _mm_or_si128(stop, _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
        unsigned hits = (unsigned)_mm_movemask_epi8(stop);
        unsigned tops = (unsigned)_mm_movemask_epi8(v);
        if (hits) {
            /* hits ^ (hits - 1) covers the first hit and all below it */
            *high |= tops & (hits ^ (hits - 1));
            return p + __builtin_ctz(hits);
        }
        *high |= tops;
    }
#endif
    return scan_plain_words(p, end, high);
}

#endif
