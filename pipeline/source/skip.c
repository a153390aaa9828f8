/* SPDX-License-Identifier: MIT */
/*
 * Each block of 64 bytes becomes four bit masks: quotes, backslashes, opening and closing
 * brackets. Escaped quotes are struck out, a running parity of the quotes says which bytes lie
 * inside strings, and only the brackets that are left are walked. '{' and '[' differ
 * in one bit only, as do '}' and ']', so two comparisons find all four.
 */
#include "pipeline/source/skip.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 64 };

struct masks {
    uint64_t quote, slash, open, close;
};

#ifdef __SSE2__
static uint64_t bits(__m128i hit)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(hit);
}

static struct masks look(const char *p)
{
    struct masks m = {0};
    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
        m.quote |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('"'))) << i;
        m.slash |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))) << i;
        m.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{'))) << i;
        m.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))) << i;
    }
    return m;
}
#else
static struct masks look(const char *p)
{
    struct masks m = {0};
    for (int i = 0; i < BLOCK; i++) {
        m.quote |= (uint64_t)(p[i] == '"') << i;
        m.slash |= (uint64_t)(p[i] == '\\') << i;
        m.open |= (uint64_t)((p[i] | 0x20) == '{') << i;
        m.close |= (uint64_t)((p[i] | 0x20) == '}') << i;
    }
    return m;
}
#endif

/* Which bytes follow a backslash that is not itself escaped. *carry: the byte after the block. */
static uint64_t escapes(uint64_t slash, bool *carry)
{
    uint64_t escaped = *carry ? 1 : 0;
    *carry = false;
    for (slash &= ~escaped; slash; slash &= slash - 1) {
        uint64_t bit = slash & (~slash + 1);
        uint64_t next = bit << 1;
        if (escaped & bit)
            continue;
        escaped |= next;
        *carry = next == 0;
    }
    return escaped;
}

/* Bit i is the parity of bits 0..i. */
static uint64_t parity(uint64_t x)
{
    for (int shift = 1; shift < BLOCK; shift *= 2)
        x ^= x << shift;
    return x;
}

/*
 * One block of which n bytes count. Returns the number of bytes up to the end of the value, or 0
 * if it goes on.
 */
static size_t block(struct skip *s, const char *p, size_t n)
{
    struct masks m = look(p);
    uint64_t escaped = 0;
    bool carry = s->escaped;
    if (m.slash || carry) {
        escaped = escapes(m.slash, &carry);
        if (n < BLOCK)
            carry = escaped >> n & 1;
    }
    m.quote &= ~escaped;
    uint64_t inside = parity(m.quote) ^ (s->in_string ? ~(uint64_t)0 : 0);
    m.open &= ~inside;
    m.close &= ~inside;
    for (uint64_t left = m.open | m.close; left; left &= left - 1) {
        unsigned at = (unsigned)__builtin_ctzll(left);
        s->depth += (m.open >> at & 1) * 2;
        if (--s->depth == 0)
            return at + 1;
    }
    s->in_string = inside >> (BLOCK - 1);
    s->escaped = carry;
    return 0;
}

size_t skip_run(struct skip *s, const char *p, size_t n, bool *done)
{
    size_t at = 0, got = 0;
    for (; n - at >= BLOCK && !got; at += got ? got : BLOCK)
        got = block(s, p + at, BLOCK);
    if (!got && at < n) {
        char rest[BLOCK];
        memset(rest, ' ', sizeof rest);
        memcpy(rest, p + at, n - at);
        got = block(s, rest, n - at);
        at += got ? got : n - at;
    }
    *done = got > 0;
    return at;
}
