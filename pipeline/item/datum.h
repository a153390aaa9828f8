/* SPDX-License-Identifier: MIT */
/*
 * A typed cell of a row, ready for any sink: the cast from a DynamoDB value has been done.
 * Pointers live in the page's arena.
 */
#ifndef ITEM_DATUM_H
#define ITEM_DATUM_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/base/str.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"

enum col_type {
    COL_TEXT = 0,
    COL_INTEGER,
    COL_BIGINT,
    COL_NUMERIC,
    COL_DOUBLE,
    COL_BOOLEAN,
    COL_BYTEA,
    COL_DATE,
    COL_TIMESTAMPTZ,
    COL_UUID,
    COL_JSONB,
    COL_TEXT_ARRAY,
    COL_NUMERIC_ARRAY,
    COL_BYTEA_ARRAY,
    COL_TYPES
};

enum datum_state { DATUM_MISSING = 0, DATUM_NULL, DATUM_VALUE };

struct datum {
    enum datum_state state;
    uint32_t n; /* elements of an array; TEXT: VAL_PLAIN or 0, as in values */
    union {
        struct str
            text;  /* TEXT, NUMERIC (canonical), BYTEA (bytes), JSONB (canonical JSON text) */
        int64_t i; /* INTEGER, BIGINT; TIMESTAMPTZ: us since 1970 UTC; DATE: days since 1970 */
        double d;  /* DOUBLE */
        bool boolean; /* BOOLEAN */
        unsigned char uuid[16];
        struct str *array; /* TEXT[], NUMERIC[], BYTEA[]; an element with p == NULL is NULL */
    } u;
};

enum time_unit { UNIT_NONE = 0, UNIT_S, UNIT_MS, UNIT_US };

/* Lossy rules that a column allows by name; each use is counted. */
enum {
    LOSSY_FLOAT = 1, /* N to double precision */
    LOSSY_JSON = 2,  /* B and sets inside jsonb as base64 and arrays */
    LOSSY_NUL = 4,   /* NUL bytes dropped from text and jsonb */
    LOSSY_ROUND = 8  /* fractions cut when a number goes to integer, bigint, or below 1 us */
};

struct cast {
    enum col_type type;
    enum time_unit unit;
    unsigned lossy; /* LOSSY_* allowed */
};

/* "text", "bigint", ... as the model and PostgreSQL write it. */
const char *col_type_name(enum col_type type);
bool col_type_parse(struct str name, enum col_type *out);

/*
 * Casts. A VAL_NULL gives DATUM_NULL, VAL_MISSING gives DATUM_MISSING. *used gets the LOSSY_*
 * rules that were needed. RC_OK, RC_NOMEM, or RC_DATA (reason "cast") with `why` set; the
 * detail says what the value was and what would fit, not naming the column (callers do).
 */
enum rc datum_cast(const struct cast *cast, const struct val *v, struct arena *a,
                   struct datum *out, unsigned *used, struct fault *why) MUST_CHECK;

/* A number of up to nine digits and nothing else fits every kind of integer. */
static inline bool datum_small_int(struct str digits, int64_t *out)
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
static inline bool datum_cast_easy(const struct cast *cast, const struct val *v,
                                   struct datum *out)
{
    int64_t n = 0;
    if (v->kind == VAL_N && (cast->type == COL_BIGINT || cast->type == COL_INTEGER) &&
        datum_small_int(v->u.s, &n)) {
        *out = (struct datum){.state = DATUM_VALUE, .u.i = n};
        return true;
    }
    bool text = cast->type == COL_TEXT && v->kind == VAL_S && v->n == VAL_PLAIN;
    if (!text && (cast->type != COL_NUMERIC || v->kind != VAL_N))
        return false;
    *out = (struct datum){.state = DATUM_VALUE, .n = text ? VAL_PLAIN : 0, .u.text = v->u.s};
    return true;
}

/*
 * Appends the cell as it stands in JSON lines: numbers with all digits, bytea as base64,
 * timestamptz as ISO 8601 UTC, NULL as null. Not for DATUM_MISSING.
 */
void datum_json(struct buf *b, enum col_type type, const struct datum *d);

/* Orders two cells of one type by value: below, at or above 0; MISSING, then NULL, come first. */
int datum_cmp(enum col_type type, const struct datum *a, const struct datum *b);

#endif
