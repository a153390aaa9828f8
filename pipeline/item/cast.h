/* SPDX-License-Identifier: MIT */
/* One cast under way, and the casts that have files of their own. Private to datum.c. */
#ifndef ITEM_CAST_H
#define ITEM_CAST_H

#include "pipeline/item/datum.h"

struct casting {
    const struct cast *cast;
    const struct val *v;
    struct arena *arena;
    struct datum *out;
    unsigned *used;
    struct fault *why;
};

/* "VALUE does not fit TYPE" with the value's kind and first bytes. `hint` may be NULL. */
enum rc cast_misfit(struct casting *c, const char *hint);

/* The lossy rule may be used (and is noted as used), or the cast fails with `what`. */
enum rc cast_lossy(struct casting *c, unsigned rule, const char *what) MUST_CHECK;

/* The text without NUL bytes, if it has any and the column allows that. */
enum rc cast_no_nul(struct casting *c, struct str text, struct str *out) MUST_CHECK;

enum rc cast_integer(struct casting *c) MUST_CHECK;
enum rc cast_numeric(struct casting *c) MUST_CHECK;
enum rc cast_double(struct casting *c) MUST_CHECK;
enum rc cast_timestamptz(struct casting *c) MUST_CHECK;
enum rc cast_jsonb(struct casting *c) MUST_CHECK;

#endif
