/* SPDX-License-Identifier: MIT */
/* Thin on purpose: malloc's own rules, with the overflow and the message in one place. */
#include "pipeline/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

bool memory_own(struct str *out, struct str text)
{
    char *p = malloc(text.n + 1);
    if (!p)
        return false;
    if (text.n)
        memcpy(p, text.p, text.n);
    p[text.n] = '\0';
    memory_disown(out);
    *out = str_make(p, text.n);
    return true;
}

void memory_disown(struct str *owned)
{
    union {
        const char *borrowed;
        char *mine;
    } u = {owned->p};
    free(u.mine);
    *owned = (struct str){0};
}
