/* SPDX-License-Identifier: MIT */
/*
 * The small steps of the fast decoder: punctuation, strings, numbers, and telling new names
 * from repeated ones. Inline, as each is run for every value. Private to decode_fast.c.
 */
#ifndef ITEM_DECODE_FAST_SCALAR_H
#define ITEM_DECODE_FAST_SCALAR_H

#include "pipeline/base/bytescan.h"
#include "pipeline/base/utf8.h"
#include "pipeline/item/decode_fast.h"

/* N that is not canonical beyond doubt, or B; p is behind the opening quote. */
const char *decode_fast_odd_scalar(struct decode_fast *q, const char *p, enum val_kind kind,
                                   struct val *out);

static inline const char *decode_fast_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* Takes the character c, blanks before it allowed. */
static inline const char *decode_fast_take(const char *p, const char *end, char c)
{
    if (p < end && *p == c)
        return p + 1;
    p = decode_fast_blanks(p, end);
    return p < end && *p == c ? p + 1 : NULL;
}

/* The text from p, which is behind the opening quote. Returns the place of the closing one. */
static inline const char *decode_fast_text(const char *p, const char *end, struct str *out)
{
    unsigned high = 0;
    const char *stop = bytescan_plain(p, end, &high);
    if (stop == end || *stop != '"')
        return NULL;
    *out = str_make(p, (size_t)(stop - p));
    if (high && utf8_bad(*out) != out->n)
        return NULL;
    return stop;
}

static inline uint64_t decode_fast_load(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

enum { QUICK_OPENING = 8 };

/* VAL_S for `":{"S":"`, VAL_N for `":{"N":"` at p, which is the end of a name. */
static inline enum val_kind decode_fast_opening(const char *p, const char *end)
{
    if (end - p < QUICK_OPENING)
        return VAL_MISSING;
    uint64_t w = decode_fast_load(p);
    if (w == decode_fast_load("\":{\"S\":\""))
        return VAL_S;
    return w == decode_fast_load("\":{\"N\":\"") ? VAL_N : VAL_MISSING;
}

/*
 * Tells names apart by their length and first and last eight bytes, the rest is left to chance; false
 * where that cannot be read.
 */
static inline bool decode_fast_hash(struct str name, const char *end, uint64_t *hash)
{
    uint64_t h;
    if (name.n >= 8) {
        h = decode_fast_load(name.p) ^ decode_fast_load(name.p + name.n - 8) << 1;
    } else if (end - name.p >= 8) {
        h = decode_fast_load(name.p) & ((UINT64_C(1) << name.n * 8) - 1);
    } else {
        return false;
    }
    *hash = (h + name.n) * UINT64_C(0x9E3779B97F4A7C15);
    return true;
}

/* Where a name stands among the two words that tell which names a map has. */
static inline unsigned decode_fast_word(uint64_t hash)
{
    return (unsigned)(hash >> 57 & 1);
}

static inline uint64_t decode_fast_bit(uint64_t hash)
{
    return UINT64_C(1) << (hash >> 58);
}

static inline bool decode_fast_mark(uint64_t seen[2], unsigned word, uint64_t bit)
{
    bool hit = (seen[word] & bit) != 0;
    seen[word] |= bit;
    return hit;
}

/* False for a name not met before in its map; true is only a guess. `seen` starts as zeros. */
static inline bool decode_fast_seen(uint64_t seen[2], struct str name, const char *end)
{
    uint64_t h = 0;
    return !decode_fast_hash(name, end, &h) ||
           decode_fast_mark(seen, decode_fast_word(h), decode_fast_bit(h));
}

static inline bool decode_fast_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The quote behind a number that is canonical beyond doubt and short, or NULL. */
static inline const char *decode_fast_number(const char *p, const char *end)
{
    const char *limit = end - p > 38 ? p + 38 : end;
    if (p == limit)
        return NULL;
    bool minus = *p == '-';
    const char *first = p + minus;
    for (p = first; p < limit && decode_fast_is_digit(*p);)
        p++;
    if (p == first || p == limit)
        return NULL;
    if (*first == '0' && (p != first + 1 || (minus && *p != '.')))
        return NULL;
    if (*p == '.') {
        for (p++; p < limit && decode_fast_is_digit(*p);)
            p++;
        if (p == limit || p[-1] == '0' || p[-1] == '.')
            return NULL;
    }
    return *p == '"' ? p : NULL;
}

/*
 * The same for numbers of up to 14 characters without a sign, with 16 bytes to read at p.
 * A look at which of them are digits finds the point and the quote at once.
 */
static inline const char *decode_fast_short_number(const char *p)
{
    unsigned others = ~bytescan_digits(p) & 0xFFFF;
    if (others == 0)
        return NULL;
    int whole = __builtin_ctz(others);
    if (whole == 0 || (p[0] == '0' && whole > 1))
        return NULL;
    if (p[whole] == '"')
        return p + whole;
    others &= others - 1;
    if (p[whole] != '.' || others == 0)
        return NULL;
    int all = __builtin_ctz(others);
    return p[all] == '"' && p[all - 1] > '0' ? p + all : NULL;
}

/* S, N or B from behind the opening quote. Returns the place behind the closing one. */
static inline const char *decode_fast_scalar(struct decode_fast *q, const char *p,
                                             enum val_kind kind, struct val *out)
{
    const char *stop;
    out->kind = kind;
    out->n = 0;
    if (kind == VAL_S) {
        out->n = VAL_PLAIN;
        stop = decode_fast_text(p, q->end, &out->u.s);
        return stop ? stop + 1 : NULL;
    }
    stop = kind == VAL_N ? decode_fast_number(p, q->end) : NULL;
    if (!stop)
        return decode_fast_odd_scalar(q, p, kind, out);
    out->u.s = str_make(p, (size_t)(stop - p));
    return stop + 1;
}

#endif
