/* SPDX-License-Identifier: MIT */
/*
 * The shapes of keys. The tokens of the partition key and then of the sort key are followed as in
 * a tree; at each fork it is decided which words are constants and which are data: words that are
 * many, and whose items have the same attributes, are data.
 */
#ifndef INFER_SHAPES_H
#define INFER_SHAPES_H

#include "pipeline/infer/design.h"

/* One position of a shape. */
struct infer_position {
    struct str literal; /* p == NULL: data */
    enum infer_token_class class;
};

struct infer_shape {
    struct infer_position v[INFER_KEYS_MAX][INFER_TOKENS_MAX];
    uint32_t n[INFER_KEYS_MAX]; /* positions of each key */
    uint32_t *items;
    uint32_t nitems;
};

struct infer_shapes {
    struct infer_shape *v;
    size_t n, cap;
};

/*
 * The shapes of these items (which are put in another order). `typed`: they are one entity, so that
 * two words are enough for data.
 */
void shapes_find(struct infer_design *d, uint32_t *items, uint32_t n, bool typed,
                 struct infer_shapes *out);

#endif
