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
    COL_TIMESTAMP,
    COL_TIMESTAMPTZ,
    COL_UUID,
    COL_JSONB,
    COL_TEXT_ARRAY,
    COL_INTEGER_ARRAY,
    COL_BIGINT_ARRAY,
    COL_NUMERIC_ARRAY,
    COL_DOUBLE_ARRAY,
    COL_BOOLEAN_ARRAY,
    COL_BYTEA_ARRAY,
    COL_DATE_ARRAY,
    COL_TIMESTAMP_ARRAY,
    COL_TIMESTAMPTZ_ARRAY,
    COL_UUID_ARRAY,
    COL_TYPES
};

enum datum_state { DATUM_MISSING = 0, DATUM_NULL, DATUM_VALUE };

struct datum {
    uint8_t state; /* enum datum_state */
    uint8_t kind;  /* enum val_kind of the value it was made of; VAL_MISSING: of none */
    uint32_t n;    /* elements of an array; TEXT: VAL_PLAIN or 0, as in values */
    union {
        struct str
            text; /* TEXT, NUMERIC (canonical), BYTEA (bytes), JSONB (canonical JSON text) */
        int64_t
            i; /* INTEGER, BIGINT; TIMESTAMPTZ: us since 1970 UTC; TIMESTAMP: us from 1970 on by
                      the clocks of some zone; DATE: days since 1970 */
        double d;     /* DOUBLE */
        bool boolean; /* BOOLEAN */
        unsigned char uuid[16];
        struct datum *array; /* of arrays: cells of the element's type; one that is MISSING is
                                what no item has, see cast_json_array */
    } u;
};

/*
 * Appends the cell as it stands in JSON lines: numbers with all digits, bytea as base64,
 * timestamptz as ISO 8601 UTC, NULL as null. Not for DATUM_MISSING.
 */
void datum_json(struct buf *b, enum col_type type, const struct datum *d);

/* Orders two cells of one type by value: below, at or above 0; MISSING, then NULL, come first. */
int datum_cmp(enum col_type type, const struct datum *a, const struct datum *b);

#endif
