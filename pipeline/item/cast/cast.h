/* SPDX-License-Identifier: MIT */
/*
 * From an attribute's value to a cell of a column: what a column asks for, and the cast itself.
 */
#ifndef ITEM_CAST_CAST_H
#define ITEM_CAST_CAST_H

#include "pipeline/item/datum.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/time/time_zone.h"

enum time_unit { UNIT_NONE = 0, UNIT_S, UNIT_MS, UNIT_US };

/* Lossy rules that a column allows by name; each use is counted. */
enum {
    LOSSY_PARSE = 64, /* a text that does not parse stays one; no cast looks at it */
    LOSSY_FLOAT = 1,  /* N to double precision */
    LOSSY_JSON = 2,   /* B and sets inside jsonb as base64 and arrays */
    LOSSY_NUL = 4,    /* NUL bytes dropped from text and jsonb */
    LOSSY_ROUND = 8,  /* fractions cut when a number goes to integer, bigint, or below 1 us */
    LOSSY_TEXT = 16,  /* booleans, and in lists numbers, become text: what they were is lost */
    LOSSY_AMBIGUOUS =
        32 /* a local time that clocks show twice or never is one of two instants */
};

/* How texts without an offset, or of another spelling, say a time. */
struct cast_time {
    const struct time_zone *zone; /* NULL: none */
    bool later;                   /* of two instants, if LOSSY_AMBIGUOUS is allowed */
    const struct str *formats;    /* time_format.h, tried in order */
    uint32_t nformats;
    bool iso; /* beside the formats; without them ISO 8601 is what is read */
};

struct cast {
    enum col_type type;
    enum time_unit unit;
    unsigned lossy;               /* LOSSY_* allowed */
    const struct cast_time *time; /* NULL: ISO 8601, and no zone */
};

/*
 * Casts. A VAL_NULL gives DATUM_NULL, VAL_MISSING gives DATUM_MISSING. *used gets the LOSSY_*
 * rules that were needed. RC_OK, RC_NOMEM, or RC_DATA (reason "cast") with `why` set; the
 * detail says what the value was and what would fit, not naming the column (callers do).
 */
enum rc cast_value(const struct cast *cast, const struct val *v, struct arena *a,
                   struct datum *out, unsigned *used, struct fault *why) MUST_CHECK;

/* A number of up to nine digits and nothing else fits every kind of integer. */
static inline bool cast_small_int(struct str digits, int64_t *out)
{
    int64_t n = 0;
    if (digits.n == 0 || digits.n > 9)
        return false;
    for (size_t i = 0; i < digits.n; i++) {
        unsigned digit = (unsigned)(unsigned char)digits.p[i] - '0';
        if (digit > 9)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

/* The casts most cells need, which cannot fail: true if it was one of them. */
static inline bool cast_easy(const struct cast *cast, const struct val *v, struct datum *out)
{
    int64_t n = 0;
    if (v->kind == VAL_N && (cast->type == COL_BIGINT || cast->type == COL_INTEGER) &&
        cast_small_int(v->u.s, &n)) {
        *out = (struct datum){.state = DATUM_VALUE, .kind = VAL_N, .u.i = n};
        return true;
    }
    bool text = cast->type == COL_TEXT && v->kind == VAL_S && v->n == VAL_PLAIN;
    if (!text && (cast->type != COL_NUMERIC || v->kind != VAL_N))
        return false;
    *out = (struct datum){.state = DATUM_VALUE,
                          .kind = text ? VAL_S : VAL_N,
                          .n = text ? VAL_PLAIN : 0,
                          .u.text = v->u.s};
    return true;
}

#endif
