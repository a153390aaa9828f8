/* SPDX-License-Identifier: MIT */
/* Thin on purpose: malloc's own rules, with the overflow and the message in one place. */
#include "pipeline/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

void *memory_new(size_t size, struct err *err)
{
    void *p = calloc(1, size);
    if (!p)
        (void)err_nomem(err);
    return p;
}

void *memory_double(void *v, size_t *cap, size_t first, size_t size)
{
    size_t more = *cap ? *cap * 2 : first;
    void *grown = more <= SIZE_MAX / size ? realloc(v, more * size) : NULL;
    if (grown)
        *cap = more;
    return grown;
}
