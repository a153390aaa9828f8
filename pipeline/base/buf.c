/* SPDX-License-Identifier: MIT */
/* Growth doubles up to the ceiling; one spare byte is kept so that a NUL always fits. */
#define _GNU_SOURCE
#include "pipeline/base/buf.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf){.max = max};
}

void buf_release(struct buf *b)
{
    free(b->p);
    buf_init(b, b->max);
}

void buf_wipe(struct buf *b)
{
    if (b->p)
        explicit_bzero(b->p, b->cap + 1);
    buf_release(b);
}

static bool fail(struct buf *b)
{
    b->rc = RC_NOMEM;
    return false;
}

bool buf_grow(struct buf *b, size_t n)
{
    if (!b->rc && (n > b->max || b->len > b->max - n))
        b->full = true;
    if (b->rc || b->full)
        return fail(b);
    if (b->cap - b->len >= n && b->p)
        return true;
    size_t want = b->len + n;
    size_t cap = b->cap < 64 ? 64 : b->cap;
    if (cap > b->max)
        cap = b->max;
    while (cap < want)
        cap = cap > b->max / 2 ? b->max : cap * 2;
    char *p = realloc(b->p, cap + 1);
    if (!p)
        return fail(b);
    b->p = p;
    b->cap = cap;
    return true;
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0) {
        b->rc = RC_NOMEM;
    } else if (buf_grow(b, (size_t)n)) {
        (void)vsnprintf(b->p + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vaddf(b, fmt, ap);
    va_end(ap);
}

void buf_be16(struct buf *b, uint16_t v)
{
    unsigned char x[2] = {(unsigned char)(v >> 8), (unsigned char)v};
    buf_add(b, x, sizeof x);
}

void buf_be32(struct buf *b, uint32_t v)
{
    uint32_t x = htobe32(v);
    buf_add(b, &x, sizeof x);
}

const char *buf_cstr(struct buf *b)
{
    if (b->rc || b->len == 0)
        return "";
    b->p[b->len] = '\0';
    return b->p;
}

enum rc buf_check(const struct buf *b, struct err *err)
{
    if (!b->rc)
        return RC_OK;
    if (!b->full)
        return err_set(err, b->rc, "out of memory");
    return err_set(err, b->rc, "text beyond its limit of %zu bytes", b->max);
}
