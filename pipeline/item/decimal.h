/* SPDX-License-Identifier: MIT */
/* DynamoDB numbers as decimal text: 38 significant digits, 1E-130 to 9.99..E+125. */
#ifndef ITEM_DECIMAL_H
#define ITEM_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/str.h"

enum { DECIMAL_MAX = 180 }; /* longest canonical text, with room to spare */

enum decimal_fault { DECIMAL_OK, DECIMAL_SYNTAX, DECIMAL_DIGITS, DECIMAL_RANGE };

/*
 * Accepts an optional sign, digits with an optional point, an optional exponent; nothing else,
 * no blanks. Checks and brings to canonical form: no leading or trailing zeros, no -0, plain notation
 * while the exponent is within +-38, else dE+n / dE-n. Writes at most DECIMAL_MAX bytes to
 * out; *same is set if the text was canonical already (out is then not written).
 */
enum decimal_fault decimal_canon(struct str text, char *out, size_t *n, bool *same);

/* Order by value of two canonical texts. */
int decimal_cmp(struct str a, struct str b);

/* Canonical text to int64: false if it has a fraction or does not fit. */
bool decimal_int64(struct str canonical, int64_t *out);

/* Plain digits without exponent (for JSON numbers and text): appended to at most 400 bytes. */
size_t decimal_plain(struct str canonical, char out[400]);

/* Bytes DynamoDB counts for the number: two digits each, the exponent, the sign. */
size_t decimal_size(struct str canonical);

#endif
