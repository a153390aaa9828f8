/* SPDX-License-Identifier: MIT */
/*
 * A decoded DynamoDB value. Canonical by construction: numbers in their one spelling, sets
 * sorted and free of duplicates. Everything points into the arena it was decoded into (or
 * into the raw bytes of its page) and dies with it.
 */
#ifndef ITEM_VALUE_H
#define ITEM_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/arena.h"
#include "pipeline/base/str.h"

enum val_kind {
    VAL_MISSING = 0,
    VAL_S,
    VAL_N,
    VAL_B,
    VAL_BOOL,
    VAL_NULL,
    VAL_M,
    VAL_L,
    VAL_SS,
    VAL_NS,
    VAL_BS
};

struct member;

/* n of an S of which no byte needs an escape in JSON, so no NUL either; 0: not known. */
enum { VAL_PLAIN = 1 };

struct val {
    enum val_kind kind;
    uint32_t n; /* members of M; elements of L, SS, NS, BS; S: VAL_PLAIN or 0 */
    union {
        struct str s;           /* S: UTF-8; N: canonical decimal; B: the bytes */
        bool boolean;           /* BOOL */
        struct val *list;       /* L, SS, NS, BS; elements of sets have kind S, N, B */
        struct member *members; /* M, in the order of the text */
    } u;
};

struct member {
    struct str name;
    struct val val;
};

/* An item: the members of its outermost map, and its own bytes as they came. */
struct item {
    struct str raw;
    struct member *members;
    uint32_t n;
    uint32_t source; /* which source of the plan it is from; UINT32_MAX: not known */
};

/* "S", "N", ... as DynamoDB writes it; "missing" for VAL_MISSING. */
const char *value_kind_name(enum val_kind kind);

/* A copy whose maps and lists are its own, the texts shared. False: out of memory. */
bool value_copy(const struct val *v, struct arena *a, struct val *out);

/*
 * `root` with `with` where `old` stands in it: root itself where it does not, else a copy of the
 * way down. NULL: out of memory.
 */
const struct val *value_replace(const struct val *root, const struct val *old,
                                const struct val *with, struct arena *a);

/* A NUL byte in a text or a name within it, at any depth: no text of PostgreSQL takes one. */
bool value_has_nul(const struct val *v);

/* The member of that name, or NULL. */
const struct val *item_get(const struct item *item, struct str name);

#endif
