/* SPDX-License-Identifier: MIT */
/*
 * Names met before, each with what opens its value. Items of a table look alike: the reader expects
 * after a name what followed it last time, and then a look at 32 bytes takes the place of finding
 * the end of the name, its type, and whether it is new in its map. Private to decode_fast.c.
 */
#ifndef ITEM_KNOWN_NAMES_H
#define ITEM_KNOWN_NAMES_H

#include "pipeline/item/decode_fast_scalar.h"

enum { KNOWN_TEXT = 32, KNOWN_MAX = 1024, KNOWN_SLOTS = 2 * KNOWN_MAX };

struct known_name {
    char text[KNOWN_TEXT]; /* NAME":{"S":" or N instead of S; zeros behind */
    uint32_t mask;         /* one bit for each byte of it that counts */
    uint32_t n;            /* bytes of the name */
    enum val_kind kind;
    uint32_t plain; /* VAL_PLAIN of a string, else 0 */
    unsigned word;  /* where the name stands in `seen` of its map */
    uint64_t bit;
    struct known_name *next; /* what followed it last time; may be NULL */
};

struct known_names {
    uint32_t n;
    uint16_t slots[KNOWN_SLOTS]; /* 0, or 1 + its number; by hash */
    struct known_name v[KNOWN_MAX];
};

/*
 * The entry of a name of fewer than 16 bytes, made if it is new; NULL when there are too many. The
 * opening of the value, QUICK_OPENING bytes, must stand behind the name.
 */
struct known_name *known_names_find(struct known_names *k, struct str name, enum val_kind kind,
                                    uint64_t hash);

/* Does it stand at p, where 32 bytes can be read? */
static inline bool known_here(const struct known_name *k, const char *p)
{
#ifdef __SSE2__
    const __m128i *at = (const __m128i *)(const void *)p;
    const __m128i *text = (const __m128i *)(const void *)k->text;
    __m128i low = _mm_cmpeq_epi8(_mm_loadu_si128(at), _mm_loadu_si128(text));
    __m128i high = _mm_cmpeq_epi8(_mm_loadu_si128(at + 1), _mm_loadu_si128(text + 1));
    uint32_t same = (uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16;
    return (~same & k->mask) == 0;
#else
    return memcmp(p, k->text, k->n + QUICK_OPENING) == 0;
#endif
}

#endif
