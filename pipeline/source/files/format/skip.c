/* SPDX-License-Identifier: MIT */
/*
 * Each block of 64 bytes becomes bit masks: quotes, backslashes, opening and closing brackets,
 * control characters. Escaped quotes are struck out, and a running parity of the quotes says
 * which bytes lie inside strings. Of the brackets that are left most belong to values with
 * nothing below them, {"S":"x"}: those cannot end what is skipped, and only the other closing
 * ones are walked. '{' and '[' differ in one bit only, as do '}' and ']', so two comparisons
 * find all four.
 *
 * The masks are made for the machine at hand: with AVX2, with SSE2, or byte by byte. All else
 * is written once and compiled for each, so that a machine with AVX2 also uses its instructions
 * for counting bits.
 */
#include "pipeline/source/files/format/skip.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = 64 };

struct masks {
    uint64_t quote, slash, open, close;
    bool low; /* some byte is below the blank */
};

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2,bmi,popcnt")))

INLINE uint64_t bits(__m128i hit)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(hit);
}

INLINE struct masks look(const char *p)
{
    struct masks m = {0};
    __m128i low = _mm_setzero_si128();
#pragma GCC unroll 4
    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
        m.quote |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('"'))) << i;
        m.slash |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))) << i;
        m.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{'))) << i;
        m.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))) << i;
        low = _mm_or_si128(low, _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v));
    }
    m.low = bits(low) != 0;
    return m;
}

INLINE WIDE uint64_t wide_bits(__m256i hit)
{
    return (uint64_t)(unsigned)_mm256_movemask_epi8(hit);
}

INLINE WIDE struct masks look_wide(const char *p)
{
    struct masks m = {0};
    __m256i low = _mm256_setzero_si256();
#pragma GCC unroll 2
    for (int i = 0; i < BLOCK; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
        m.quote |= wide_bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"'))) << i;
        m.slash |= wide_bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'))) << i;
        m.open |= wide_bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{'))) << i;
        m.close |= wide_bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}'))) << i;
        __m256i least = _mm256_min_epu8(v, _mm256_set1_epi8(0x1f));
        low = _mm256_or_si256(low, _mm256_cmpeq_epi8(least, v));
    }
    m.low = wide_bits(low) != 0;
    return m;
}
#else
INLINE struct masks look(const char *p)
{
    struct masks m = {0};
    for (int i = 0; i < BLOCK; i++) {
        m.quote |= (uint64_t)(p[i] == '"') << i;
        m.slash |= (uint64_t)(p[i] == '\\') << i;
        m.open |= (uint64_t)((p[i] | 0x20) == '{') << i;
        m.close |= (uint64_t)((p[i] | 0x20) == '}') << i;
        m.low |= (unsigned char)p[i] < ' ';
    }
    return m;
}
#endif

/* Which bytes follow a backslash that is not itself escaped. *carry: the byte after the block. */
static inline uint64_t escapes(uint64_t slash, bool *carry)
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
INLINE uint64_t parity(uint64_t x)
{
#pragma GCC unroll 6
    for (int shift = 1; shift < BLOCK; shift *= 2)
        x ^= x << shift;
    return x;
}

INLINE unsigned count(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/*
 * The closing brackets that follow an opening one with no bracket between: a carry is sent up
 * from each opening bracket and stops at the next bracket.
 */
INLINE uint64_t leaves(uint64_t open, uint64_t close)
{
    uint64_t gaps = ~(open | close);
    return ((open << 1) + gaps) & close;
}

/*
 * One block of which n bytes count. Returns the number of bytes up to the end of the value, or 0
 * if it goes on.
 */
INLINE size_t block(struct skip *s, struct masks m, size_t n)
{
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
    s->low |= m.low;
    /* at depth 0 the first opener begins the value that is skipped, and is not below it */
    uint64_t below = s->depth ? m.open : m.open & (m.open - 1);
    for (uint64_t left = m.close & ~leaves(below, m.close); left; left &= left - 1) {
        uint64_t to_here = left ^ (left - 1);
        if (s->depth + count(m.open & to_here) == count(m.close & to_here))
            return (size_t)__builtin_ctzll(left) + 1;
    }
    s->depth += count(m.open);
    s->depth -= count(m.close);
    s->in_string = inside >> (BLOCK - 1);
    s->escaped = carry;
    return 0;
}

/* Whole blocks: *at moves to the end of the value (true) or to the last bytes. */
static bool run_plain(struct skip *s, const char *p, size_t n, size_t *at)
{
    for (; n - *at >= BLOCK; *at += BLOCK) {
        size_t got = block(s, look(p + *at), BLOCK);
        *at += got;
        if (got)
            return true;
    }
    return false;
}

#ifdef WIDE
WIDE static bool run_wide(struct skip *s, const char *p, size_t n, size_t *at)
{
    for (; n - *at >= BLOCK; *at += BLOCK) {
        size_t got = block(s, look_wide(p + *at), BLOCK);
        *at += got;
        if (got)
            return true;
    }
    return false;
}

static bool run(struct skip *s, const char *p, size_t n, size_t *at)
{
    bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("popcnt");
    return wide ? run_wide(s, p, n, at) : run_plain(s, p, n, at);
}
#else
static bool run(struct skip *s, const char *p, size_t n, size_t *at)
{
    return run_plain(s, p, n, at);
}
#endif

size_t skip_run(struct skip *s, const char *p, size_t n, bool *done)
{
    size_t at = 0;
    *done = run(s, p, n, &at);
    if (!*done && at < n) {
        char rest[BLOCK];
        memset(rest, ' ', sizeof rest);
        memcpy(rest, p + at, n - at);
        size_t got = block(s, look(rest), n - at);
        *done = got > 0;
        at += got ? got : n - at;
    }
    return at;
}
