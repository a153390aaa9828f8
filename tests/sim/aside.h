/* SPDX-License-Identifier: MIT */
/*
 * Keys for pages without items. Each is new, for a service that says the same key twice is
 * broken, and leads to where the page that it stands for would have begun.
 */
#ifndef SIM_ASIDE_H
#define SIM_ASIDE_H

#include <yyjson.h>

#include "pipeline/base/buf.h"

struct aside {
    yyjson_doc **from; /* the ExclusiveStartKeys; NULL: the beginning */
    size_t n;
};

/* Appends the value of a key attribute of this type; takes a copy of `start`, which may be NULL. */
void aside_add(struct aside *a, char type, yyjson_val *start, struct buf *out);

/* Is this attribute value one of ours? Then *start is the key it stands for, or NULL. */
bool aside_find(const struct aside *a, yyjson_val *value, yyjson_val **start);

void aside_release(struct aside *a);

#endif
