/* SPDX-License-Identifier: MIT */
/*
 * Growing bytes with a ceiling. Failure is sticky: once an append fails nothing more is
 * added, and `rc` (tested once, at the end) says so. `p` may always be read for `len` bytes.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pipeline/base/err.h"
#include "pipeline/base/str.h"

struct buf {
    char *p;
    size_t len, cap, max;
    enum rc rc;
    bool full; /* it failed at the ceiling, not for want of memory */
};

/* A ceiling for buffers whose size the caller bounds by other means. */
#define BUF_NO_LIMIT (SIZE_MAX / 4)

void buf_init(struct buf *b, size_t max);
void buf_release(struct buf *b);

/* Overwrites the bytes first: for secrets. */
void buf_wipe(struct buf *b);

/* Makes room for n more bytes; false (and sticky) if that cannot be. */
bool buf_grow(struct buf *b, size_t n);

void buf_addf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

static inline bool buf_room(struct buf *b, size_t n)
{
    return !b->rc && b->cap - b->len >= n ? true : buf_grow(b, n);
}

static inline void buf_add(struct buf *b, const void *p, size_t n)
{
    if (n == 0 || !buf_room(b, n))
        return;
    memcpy(b->p + b->len, p, n);
    b->len += n;
}

static inline void buf_add_str(struct buf *b, struct str s)
{
    buf_add(b, s.p, s.n);
}

static inline void buf_puts(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

static inline void buf_putc(struct buf *b, char c)
{
    if (!buf_room(b, 1))
        return;
    b->p[b->len++] = c;
}

/* Big-endian integers. */
void buf_be16(struct buf *b, uint16_t v);
void buf_be32(struct buf *b, uint32_t v);

/* Empties; the memory stays. A sticky failure is forgotten. */
static inline void buf_clear(struct buf *b)
{
    b->len = 0;
    b->rc = RC_OK;
    b->full = false;
}

static inline struct str buf_view(const struct buf *b)
{
    return (struct str){b->p, b->len};
}

/* Borrowed, NUL-terminated; "" when empty or broken. Valid until the next change. */
const char *buf_cstr(struct buf *b);

/* The sticky state as an error. */
enum rc buf_check(const struct buf *b, struct err *err) MUST_CHECK;

#endif
